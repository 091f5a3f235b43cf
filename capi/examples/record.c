/* Prints the components and the normal form of a URI from the command line, or the error if the URI is invalid.
 *
 *   cc -std=c11 record.c $(pkg-config --cflags --libs urivalidate) -o record
 *   ./record 'HTTP://user@Example.com:80/a?b'
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <urivalidate.h>

static void show(const char *name, uriv_bytes record, uriv_span span) {
    if (span.start != URIV_ABSENT) {
        printf("%-10s %.*s\n", name, (int)(span.end - span.start), record.data + span.start);
    }
}

int main(int count, char **arguments) {
    const char *argument = count > 1 ? arguments[1] : "HTTP://user@Example.com:80/a?b";
    const uriv_bytes record = {argument, strlen(argument)};
    const uriv_validator *validator;
    if (uriv_validator_get(URIV_GRAMMAR_URI, 0, &validator) != URIV_STATUS_OK) {
        return 2;
    }

    uriv_components components;
    uriv_error error;
    if (uriv_parse(validator, record, &components, &error) != URIV_STATUS_OK) {
        char message[200] = "";
        uriv_text text = {message, sizeof message, 0};
        uriv_error_message(validator, record, &text);
        printf("%s at byte %u: %s\n", uriv_error_kind_name(error.kind), (unsigned)error.offset, message);
        return 1;
    }
    show("scheme", record, components.scheme);
    show("userinfo", record, components.userinfo);
    show("host", record, components.host);
    show("port", record, components.port);
    show("path", record, components.path);
    show("query", record, components.query);
    show("fragment", record, components.fragment);

    /* The first call returns the length. */
    uriv_text text = {0};
    uriv_normalize(validator, URIV_FORM_SCHEME, record, &text, NULL);
    text.capacity = text.length + 1;
    text.data = malloc(text.capacity);
    if (text.data == NULL || uriv_normalize(validator, URIV_FORM_SCHEME, record, &text, NULL) != URIV_STATUS_OK) {
        free(text.data);
        return 2;
    }
    printf("%-10s %s\n", "normal", text.data);
    free(text.data);
    return 0;
}
