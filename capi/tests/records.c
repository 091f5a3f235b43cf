/* Tests the functions of one record: verdict, components, error, and text made from it. */
#include <urivalidate.h>

#include "check.h"

_Static_assert(sizeof(uriv_span) == 8, "two numbers of 32 bits");
_Static_assert(sizeof(uriv_error) == 12, "three numbers of 32 bits");
_Static_assert(sizeof(uriv_components) == 100, "the header says so");
_Static_assert(sizeof(uriv_failure) == 512, "the header says so");
_Static_assert(sizeof(uriv_counts) == 5 * sizeof(size_t), "the header says so");
_Static_assert(sizeof(uriv_bytes) == 2 * sizeof(size_t), "the header says so");
_Static_assert(sizeof(uriv_text) == 3 * sizeof(size_t), "the header says so");
_Static_assert(sizeof(uriv_status) == 4 && sizeof(uriv_part) == 4, "numbers of 32 bits");

static const uriv_validator *validator(uint32_t grammar) {
    const uriv_validator *found = NULL;
    CHECK(uriv_validator_get(grammar, 0, &found) == URIV_STATUS_OK && found != NULL);
    return found;
}

static void names(void) {
    CHECK(strcmp(uriv_version(), URIV_VERSION) == 0);
    CHECK(strlen(uriv_public_suffix_list_date()) == 10);
    for (uint32_t grammar = 0; grammar <= URIV_GRAMMAR_REQUEST_TARGET; grammar++) {
        const char *name = uriv_grammar_name(grammar);
        uint32_t found = 99;
        CHECK(uriv_grammar_by_name((uriv_bytes){name, strlen(name)}, &found) == URIV_STATUS_OK && found == grammar);
    }
    uint32_t found = 99;
    CHECK(uriv_grammar_by_name(URIV_BYTES("rfc3987"), &found) == URIV_STATUS_OK && found == URIV_GRAMMAR_IRI);
    found = 99;
    CHECK(uriv_grammar_by_name(URIV_BYTES("URI"), &found) == URIV_STATUS_NONE && found == 99);
    CHECK(uriv_grammar_by_name(URIV_BYTES("\xff"), &found) == URIV_STATUS_NONE);
    CHECK(uriv_grammar_by_name((uriv_bytes){NULL, 1}, &found) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_grammar_name(9) == NULL && uriv_grammar_name(UINT32_MAX) == NULL);
    CHECK(strcmp(uriv_part_name(URIV_PART_HOST), "host") == 0 && uriv_part_name(URIV_PART_COUNT) == NULL);
    CHECK(strcmp(uriv_error_kind_name(URIV_ERROR_KIND_SPACE), "space") == 0);
    CHECK(uriv_error_kind_name(URIV_ERROR_KIND_NONE) == NULL && uriv_error_kind_name(URIV_ERROR_KIND_OTHER) == NULL);
    CHECK(strcmp(uriv_host_kind_name(URIV_HOST_KIND_IPVFUTURE), "ipvfuture") == 0);
    CHECK(strcmp(uriv_authority_kind_name(URIV_AUTHORITY_KIND_REGISTRY), "registry") == 0);
    for (uint32_t status = 0; status < 20; status++) {
        CHECK(strlen(uriv_status_message(status)) > 0);
    }
}

static void validators(void) {
    const uriv_validator *found = NULL;
    CHECK(uriv_validator_get(URIV_GRAMMAR_JAVA, URIV_ZONE_IDS, &found) == URIV_STATUS_UNSUPPORTED && found == NULL);
    CHECK(uriv_validator_get(9, 0, &found) == URIV_STATUS_INVALID_ARGUMENT && found == NULL);
    CHECK(uriv_validator_get(0, 2, &found) == URIV_STATUS_INVALID_ARGUMENT && found == NULL);
    CHECK(uriv_validator_get(0, 0, NULL) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_validator_get(URIV_GRAMMAR_URI, URIV_ZONE_IDS, &found) == URIV_STATUS_OK);
    CHECK(uriv_is_valid(found, URIV_BYTES("http://[fe80::1%25en0]/")));
    CHECK(!uriv_is_valid(validator(URIV_GRAMMAR_URI), URIV_BYTES("http://[fe80::1%25en0]/")));
}

static bool is_at(uriv_span span, uint32_t start, uint32_t end) {
    return span.start == start && span.end == end;
}

static void verdicts(void) {
    const uriv_validator *uri = validator(URIV_GRAMMAR_URI);
    CHECK(uriv_is_valid(uri, URIV_BYTES("http://example.com/")));
    CHECK(!uriv_is_valid(uri, URIV_BYTES("http://example.com/\0")));
    const uriv_bytes empty = {NULL, 0}, null = {NULL, 1}, endless = {"http://h/", SIZE_MAX};
    CHECK(!uriv_is_valid(uri, empty) && !uriv_is_valid(uri, null) && !uriv_is_valid(NULL, URIV_BYTES("http://h/")));
    CHECK(!uriv_is_valid(uri, endless));
    CHECK(uriv_is_valid(validator(URIV_GRAMMAR_URI_REFERENCE), empty));

    uriv_components components;
    uriv_error error = {URIV_ERROR_KIND_OTHER, URIV_PART_PORT, 7};
    CHECK(uriv_parse(uri, URIV_BYTES("https://u@[2001:db8::7]:8080/a?#f"), &components, &error) == URIV_STATUS_OK);
    CHECK(error.kind == URIV_ERROR_KIND_OTHER && error.offset == 7);
    CHECK(is_at(components.scheme, 0, 5) && is_at(components.authority, 8, 28) && is_at(components.userinfo, 8, 9));
    CHECK(is_at(components.host, 10, 23) && is_at(components.port, 24, 28) && is_at(components.path, 28, 30));
    CHECK(is_at(components.query, 31, 31) && is_at(components.fragment, 32, 33));
    CHECK(is_at(components.scheme_specific_part, 6, 31));
    CHECK(components.host_kind == URIV_HOST_KIND_IPV6 && components.authority_kind == URIV_AUTHORITY_KIND_SERVER);
    CHECK(components.address_length == 16 && components.address[0] == 0x20 && components.address[15] == 7);
    CHECK(!components.is_opaque);

    CHECK(uriv_parse(uri, URIV_BYTES("http://192.0.2.1"), &components, NULL) == URIV_STATUS_OK);
    CHECK(components.address_length == 4 && memcmp(components.address, "\xC0\x00\x02\x01\0\0", 6) == 0);
    CHECK(is_at(components.query, URIV_ABSENT, URIV_ABSENT) && is_at(components.path, 16, 16));

    CHECK(uriv_parse(validator(URIV_GRAMMAR_JAVA), URIV_BYTES("mailto:a@b"), &components, NULL) == URIV_STATUS_OK);
    CHECK(components.is_opaque && is_at(components.path, URIV_ABSENT, URIV_ABSENT));
    CHECK(components.host_kind == URIV_HOST_KIND_NONE && components.authority_kind == URIV_AUTHORITY_KIND_NONE);

    uriv_components before = components;
    CHECK(uriv_parse(uri, URIV_BYTES("http://h/a b"), &components, &error) == URIV_STATUS_INVALID);
    CHECK(error.kind == URIV_ERROR_KIND_SPACE && error.part == URIV_PART_PATH && error.offset == 10);
    CHECK(memcmp(&before, &components, sizeof before) == 0);
    CHECK(uriv_parse(uri, URIV_BYTES("http://h/a b"), NULL, NULL) == URIV_STATUS_INVALID);
    CHECK(uriv_parse(uri, URIV_BYTES(""), NULL, &error) == URIV_STATUS_INVALID && error.kind == URIV_ERROR_KIND_EMPTY);
    CHECK(uriv_parse(NULL, URIV_BYTES("http://h/"), NULL, NULL) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_parse(uri, null, NULL, NULL) == URIV_STATUS_INVALID_ARGUMENT);
}

/* Requests a text in every way: only its length, with room for all but the NUL, and with room for everything. */
#define CHECK_TEXT(expected, call, ...) \
    do { \
        uriv_text made = {NULL, 7, 999}; \
        CHECK(call(__VA_ARGS__ &made EXTRA) == URIV_STATUS_BUFFER_TOO_SMALL); \
        CHECK(made.data == NULL && made.capacity == 7 && made.length == sizeof(expected) - 1); \
        char *exact = malloc(sizeof(expected)); \
        exact[0] = '#'; \
        made.data = exact; \
        made.capacity = made.length; \
        CHECK(call(__VA_ARGS__ &made EXTRA) == URIV_STATUS_BUFFER_TOO_SMALL && exact[0] == '#'); \
        made.capacity++; \
        CHECK(call(__VA_ARGS__ &made EXTRA) == URIV_STATUS_OK && made.length == sizeof(expected) - 1); \
        CHECK(memcmp(exact, expected, sizeof(expected)) == 0); \
        CHECK(made.data == exact && made.capacity == sizeof(expected)); \
        free(exact); \
    } while (0)

static void messages(void) {
    const uriv_validator *uri = validator(URIV_GRAMMAR_URI);
    char memory[8] = "#";
    uriv_text text = {memory, sizeof memory, 999};
#define EXTRA
    CHECK_TEXT("a space must be written %20", uriv_error_message, uri, URIV_BYTES("http://h/a b"), );
    CHECK_TEXT("http://h/a%20b", uriv_suggest, uri, URIV_BYTES(" http://h/a b"), );
    CHECK_TEXT("com,example)/a?a=1&b=2", uriv_surt, URIV_BYTES("http://www.Example.com:80/a?b=2&a=1#x"), );
    CHECK(uriv_error_message(uri, URIV_BYTES("http://h/"), &text) == URIV_STATUS_NONE && text.length == 0);
    CHECK(uriv_suggest(uri, URIV_BYTES("h"), &text) == URIV_STATUS_NONE && text.length == 0);
    CHECK(uriv_surt(URIV_BYTES("http://h:99999/"), &text) == URIV_STATUS_NONE);
    text.length = 999;
    CHECK(uriv_surt((uriv_bytes){NULL, 3}, &text) == URIV_STATUS_INVALID_ARGUMENT && text.length == 0);
    text.length = 999;
    CHECK(uriv_error_message(NULL, URIV_BYTES("h"), &text) == URIV_STATUS_INVALID_ARGUMENT && text.length == 0);
    CHECK(memory[0] == '#' && text.data == memory && text.capacity == sizeof memory);
    CHECK(uriv_surt(URIV_BYTES("http://h/"), NULL) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_error_message(uri, URIV_BYTES("h"), NULL) == URIV_STATUS_INVALID_ARGUMENT);
    /* A structure that is not aligned. */
    char *bytes = calloc(2, sizeof(uriv_text));
    CHECK(uriv_surt(URIV_BYTES("http://h/"), (uriv_text *)(void *)(bytes + 1)) == URIV_STATUS_INVALID_ARGUMENT);
    free(bytes);
#undef EXTRA
}

static void texts(void) {
    const uriv_validator *uri = validator(URIV_GRAMMAR_URI), *java = validator(URIV_GRAMMAR_JAVA);
    const uriv_validator *reference = validator(URIV_GRAMMAR_URI_REFERENCE), *iri = validator(URIV_GRAMMAR_IRI);
    uriv_error error;
    uriv_text text = {0};
#define EXTRA , &error
    CHECK_TEXT("http://h:80/~b", uriv_normalize, uri, URIV_FORM_SYNTAX, URIV_BYTES("HTTP://H:80/a/../%7eb"), );
    CHECK_TEXT("http://h/~b", uriv_normalize, uri, URIV_FORM_SCHEME, URIV_BYTES("HTTP://H:80/a/../%7eb"), );
    CHECK_TEXT("http://h/", uriv_normalize, uri, URIV_FORM_SCHEME, URIV_BYTES("http://h/"), );
    CHECK_TEXT("http://h/%C3%A9", uriv_to_uri, iri, URIV_BYTES("http://h/\xC3\xA9"), );
    CHECK_TEXT("http://h/", uriv_to_uri, iri, URIV_BYTES("http://h/"), );
    CHECK_TEXT("http://a/b/g?y#s", uriv_resolve, reference, URIV_BYTES("http://a/b/c/d;p?q"), URIV_BYTES("../g?y#s"), );
    CHECK_TEXT("g:h", uriv_resolve, reference, URIV_BYTES("http://a/"), URIV_BYTES("g:h"), );
    CHECK_TEXT("../g?y#s", uriv_relativize, reference, URIV_BYTES("http://a/b/c/d;p?q"), URIV_BYTES("http://a/b/g?y#s"), );
    CHECK_TEXT("co.uk", uriv_suffix, uri, false, URIV_BYTES("http://www.BBC.co.UK/"), );
    CHECK_TEXT("bbc.co.uk", uriv_domain, uri, false, URIV_BYTES("http://www.BBC.co.UK/"), );
    CHECK_TEXT("github.io", uriv_domain, uri, false, URIV_BYTES("http://a.b.github.io/"), );
    CHECK_TEXT("b.github.io", uriv_domain, uri, true, URIV_BYTES("http://a.b.github.io/"), );
#undef EXTRA
    CHECK(uriv_normalize(uri, URIV_FORM_SYNTAX, URIV_BYTES("http://h/ "), &text, &error) == URIV_STATUS_INVALID);
    CHECK(text.length == 0 && error.kind == URIV_ERROR_KIND_SPACE && error.offset == 9);
    CHECK(uriv_normalize(uri, 2, URIV_BYTES("http://h/"), &text, NULL) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_normalize(java, URIV_FORM_SCHEME, URIV_BYTES("http://h/"), &text, NULL) == URIV_STATUS_UNSUPPORTED);
    CHECK(uriv_resolve(reference, URIV_BYTES("/a"), URIV_BYTES("b"), &text, &error) == URIV_STATUS_INVALID_BASE);
    CHECK(error.kind == URIV_ERROR_KIND_MISSING_SCHEME);
    CHECK(uriv_resolve(reference, URIV_BYTES("http://a/"), URIV_BYTES("b c"), &text, &error) == URIV_STATUS_INVALID);
    CHECK(error.kind == URIV_ERROR_KIND_SPACE && error.offset == 1);
    CHECK(uriv_suffix(uri, false, URIV_BYTES("http://192.0.2.1/"), &text, NULL) == URIV_STATUS_NONE);
    CHECK(uriv_domain(uri, false, URIV_BYTES("http://com/"), &text, NULL) == URIV_STATUS_NONE);
    CHECK(uriv_domain(uri, false, URIV_BYTES("http://com/ "), &text, &error) == URIV_STATUS_INVALID);
    CHECK(error.offset == 11);
}

static void parts_of_urls(void) {
    uriv_url_part *host = NULL, *value = NULL, *wrong = NULL;
    const uriv_bytes no_key = {0}, empty = {"", 0};
    uriv_failure failure;
    uriv_error error;
    uriv_text text = {0};
    CHECK(uriv_url_part_new(URIV_BYTES("HOST"), no_key, &host, &failure) == URIV_STATUS_OK);
    CHECK(uriv_url_part_new(URIV_BYTES("QUERY"), URIV_BYTES("b"), &value, NULL) == URIV_STATUS_OK);
#define EXTRA , &error
    CHECK_TEXT("example.com", uriv_parse_url, host, URIV_BYTES("http://example.com/p?a=1"), );
    CHECK_TEXT("2", uriv_parse_url, value, URIV_BYTES("http://example.com/p?a=1&b=2"), );
    CHECK_TEXT("", uriv_parse_url, value, URIV_BYTES("http://example.com/p?a=1&b="), );
#undef EXTRA
    CHECK(uriv_parse_url(host, URIV_BYTES("http://a_b.c/"), &text, &error) == URIV_STATUS_NONE && text.length == 0);
    CHECK(uriv_parse_url(value, URIV_BYTES("http://h/"), &text, &error) == URIV_STATUS_NONE);
    CHECK(uriv_parse_url(host, URIV_BYTES("http://h/ a"), &text, &error) == URIV_STATUS_INVALID);
    CHECK(error.kind == URIV_ERROR_KIND_SPACE && error.offset == 9);
    CHECK(uriv_parse_url(NULL, URIV_BYTES("http://h/"), &text, NULL) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_url_part_new(URIV_BYTES("host"), no_key, &wrong, &failure) == URIV_STATUS_INVALID_FIELD && wrong == NULL);
    CHECK(strstr(failure.message, "unknown part \"host\": expected one of HOST, PATH, ") != NULL);
    CHECK(uriv_url_part_new(URIV_BYTES("HOST"), URIV_BYTES("b"), &wrong, NULL) == URIV_STATUS_INVALID_KEY && wrong == NULL);
    CHECK(uriv_url_part_new(URIV_BYTES("QUERY"), URIV_BYTES("("), &wrong, &failure) == URIV_STATUS_INVALID_KEY && wrong == NULL);
    CHECK(failure.status == URIV_STATUS_INVALID_KEY && failure.row == -1 && strstr(failure.message, "\"(\"") != NULL);
    CHECK(uriv_url_part_new(URIV_BYTES("QUERY"), URIV_BYTES("\xff"), &wrong, NULL) == URIV_STATUS_INVALID_KEY);
    CHECK(uriv_url_part_new(URIV_BYTES("HOST"), no_key, NULL, &failure) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_url_part_new(URIV_BYTES("QUERY"), (uriv_bytes){NULL, 1}, &wrong, NULL) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_url_part_new(URIV_BYTES("HOST"), empty, &wrong, NULL) == URIV_STATUS_INVALID_KEY && wrong == NULL);
    uriv_url_part_free(host);
    uriv_url_part_free(value);
    uriv_url_part_free(NULL);
}

int main(void) {
    names();
    validators();
    verdicts();
    messages();
    texts();
    parts_of_urls();
    puts("records: passed");
    return 0;
}
