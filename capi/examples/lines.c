/* Prints the hosts of a list with a URI in each line. Prints invalid records to standard error, with their lines and errors.
 *
 *   cc -std=c11 lines.c $(pkg-config --cflags --libs urivalidate) -o lines
 *   ./lines urls.txt
 *
 * It has columns for 4096 records: a scan stops when they are full, and the next one goes on from there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <urivalidate.h>

enum { CAPACITY = 4096 };

static char *read_all(const char *name, size_t *length) {
    FILE *file = fopen(name, "rb");
    char *buffer = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        buffer = size < 0 ? NULL : malloc((size_t)size + 1);
        if (buffer != NULL) {
            *length = fread(buffer, 1, (size_t)size, file);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return buffer;
}

int main(int count, char **arguments) {
    static uriv_span hosts[CAPACITY];
    static uint8_t valid[CAPACITY], kinds[CAPACITY];
    static uint32_t offsets[CAPACITY];
    uriv_columns columns = {0};
    columns.capacity = CAPACITY;
    columns.valid = valid;
    columns.error_kinds = kinds;
    columns.error_offsets = offsets;
    columns.spans[URIV_PART_HOST] = hosts;

    if (count != 2) {
        fprintf(stderr, "usage: lines FILE\n");
        return 2;
    }
    size_t length = 0, line = 0;
    char *buffer = read_all(arguments[1], &length);
    if (buffer == NULL) {
        perror(arguments[1]);
        return 2;
    }
    const uriv_validator *validator;
    uriv_scanner *scanner;
    uriv_status status = uriv_validator_get(URIV_GRAMMAR_URI, 0, &validator);
    if (status == URIV_STATUS_OK) {
        status = uriv_scanner_new(validator, &scanner);
    }
    if (status != URIV_STATUS_OK) {
        fprintf(stderr, "%s\n", uriv_status_message(status));
        free(buffer);
        return 2;
    }
    uriv_bytes rest = {buffer, length};
    while (status == URIV_STATUS_OK && rest.length > 0) {
        uriv_counts counts;
        status = uriv_scan_lines(scanner, rest, &columns, &counts);
        for (size_t row = 0; row < counts.records; row++) {
            line++;
            if (!valid[row]) {
                fprintf(stderr, "%s:%zu: %s at byte %u\n", arguments[1], line, uriv_error_kind_name(kinds[row]), (unsigned)offsets[row]);
            } else if (hosts[row].start != URIV_ABSENT) {
                printf("%.*s\n", (int)(hosts[row].end - hosts[row].start), rest.data + hosts[row].start);
            }
        }
        rest.data += counts.bytes;
        rest.length -= counts.bytes;
    }
    if (status != URIV_STATUS_OK) {
        fprintf(stderr, "%s\n", uriv_status_message(status));
    }
    uriv_scanner_free(scanner);
    free(buffer);
    return status == URIV_STATUS_OK ? 0 : 2;
}
