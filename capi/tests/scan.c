/* Tests scans of buffers: the columns must have the results of uriv_parse for each record. usage: scan FILE */
#include <urivalidate.h>

#include "check.h"

_Static_assert(sizeof(uriv_strings32) == 5 * sizeof(size_t), "the header says so");
_Static_assert(sizeof(uriv_strings64) == sizeof(uriv_strings32), "the header says so");

enum { MOST = 5000 };

/* Columns, and their expected values. The arrays are no longer than the capacity, so that a tool finds writes beyond it. */
typedef struct {
    uriv_columns columns;
    size_t capacity;
} table;

static table make(size_t capacity) {
    table made = {0};
    made.capacity = capacity;
    made.columns.capacity = capacity;
    made.columns.valid = malloc(capacity);
    made.columns.valid_bits = malloc((capacity + 7) / 8);
    for (int part = 0; part < URIV_PART_COUNT; part++) {
        made.columns.spans[part] = malloc(capacity * sizeof(uriv_span));
    }
    made.columns.error_kinds = malloc(capacity);
    made.columns.error_parts = malloc(capacity);
    made.columns.error_offsets = malloc(capacity * sizeof(uint32_t));
    return made;
}

static void release(table *made) {
    free(made->columns.valid);
    free(made->columns.valid_bits);
    for (int part = 0; part < URIV_PART_COUNT; part++) {
        free(made->columns.spans[part]);
    }
    free(made->columns.error_kinds);
    free(made->columns.error_parts);
    free(made->columns.error_offsets);
}

static bool is_part(const table *made, size_t row, int part, size_t start, uriv_span expected) {
    uriv_span found = made->columns.spans[part][row];
    if (expected.start == URIV_ABSENT) {
        return found.start == URIV_ABSENT && found.end == URIV_ABSENT;
    }
    return found.start == start + expected.start && found.end == start + expected.end;
}

/* Compares a row with a record that starts at this byte of the scanned buffer. */
static bool check_row(const uriv_validator *validator, const table *made, size_t row, const char *record, size_t length, size_t start) {
    uriv_components components;
    uriv_error error;
    bool is_valid = uriv_parse(validator, (uriv_bytes){record, length}, &components, &error) == URIV_STATUS_OK;
    const uriv_columns *columns = &made->columns;
    uriv_span whole = {0, (uint32_t)length}, absent = {URIV_ABSENT, URIV_ABSENT};
    CHECK(columns->valid[row] == is_valid);
    CHECK((columns->valid_bits[row / 8] >> row % 8 & 1) == is_valid);
    CHECK(is_part(made, row, URIV_PART_RECORD, start, whole));
    const uriv_span *parts = &components.scheme;
    for (int part = URIV_PART_SCHEME; part <= URIV_PART_SCHEME_SPECIFIC_PART; part++) {
        CHECK(is_part(made, row, part, start, is_valid ? parts[part - URIV_PART_SCHEME] : absent));
    }
    uriv_span path_and_query = is_valid ? components.path : absent;
    if (is_valid && components.query.start != URIV_ABSENT && components.path.start != URIV_ABSENT) {
        path_and_query.end = components.query.end;
    }
    CHECK(is_part(made, row, URIV_PART_PATH_AND_QUERY, start, path_and_query));
    CHECK(columns->error_kinds[row] == (is_valid ? URIV_ERROR_KIND_NONE : error.kind));
    CHECK(columns->error_parts[row] == (is_valid ? URIV_PART_RECORD : error.part));
    CHECK(columns->error_offsets[row] == (is_valid ? 0 : error.offset));
    return is_valid;
}

/* Scans a buffer to its end by calls with columns of this capacity. Each call starts where the last one stopped. */
static void lines(const uriv_validator *validator, const char *buffer, size_t length, size_t capacity) {
    uriv_scanner *scanner = NULL;
    CHECK(uriv_scanner_new(validator, &scanner) == URIV_STATUS_OK);
    table made = make(capacity);
    size_t done = 0, records = 0, valid = 0;
    while (done < length) {
        uriv_counts counts;
        CHECK(uriv_scan_lines(scanner, (uriv_bytes){buffer + done, length - done}, &made.columns, &counts) == URIV_STATUS_OK);
        CHECK(counts.records > 0 && counts.records <= capacity && counts.bytes > 0 && counts.nulls == 0);
        CHECK(counts.records == capacity || done + counts.bytes == length);
        CHECK(counts.valid + counts.invalid == counts.records);
        size_t start = 0, found = 0;
        for (size_t row = 0; row < counts.records; row++) {
            const char *record = buffer + done + start;
            const char *lf = memchr(record, '\n', length - done - start);
            size_t line = lf == NULL ? length - done - start : (size_t)(lf - record);
            size_t end = lf != NULL && line > 0 && record[line - 1] == '\r' ? line - 1 : line;
            found += check_row(validator, &made, row, record, end, start);
            start += line + (lf != NULL);
        }
        CHECK(start == counts.bytes && found == counts.valid);
        if (counts.records % 8 != 0) {
            CHECK(made.columns.valid_bits[counts.records / 8] >> counts.records % 8 == 0);
        }
        done += counts.bytes;
        records += counts.records;
        valid += counts.valid;
    }
    CHECK(records == uriv_count_records((uriv_bytes){buffer, length}));
    uriv_counts counts;
    CHECK(uriv_scan_lines(scanner, (uriv_bytes){buffer, length}, NULL, &counts) == URIV_STATUS_OK);
    CHECK(counts.records == records && counts.valid == valid && counts.bytes == length);
    release(&made);
    uriv_scanner_free(scanner);
}

/* Scans the lines of a buffer as strings with offsets, every third of which is NULL. */
static void strings(const uriv_validator *validator, const char *buffer, size_t length, size_t capacity) {
    static int32_t small[MOST + 1];
    static int64_t large[MOST + 1];
    static uint8_t not_null[MOST / 8 + 1];
    size_t count = 0;
    memset(not_null, 0, sizeof not_null);
    for (size_t byte = 0; byte < length && count < MOST; byte++) {
        if (buffer[byte] == '\n') {
            not_null[count / 8] |= (uint8_t)((count % 3 != 2) << count % 8);
            count++;
            small[count] = (int32_t)(byte + 1);
            large[count] = (int64_t)(byte + 1);
        }
    }
    uriv_scanner *scanner = NULL;
    CHECK(uriv_scanner_new(validator, &scanner) == URIV_STATUS_OK);
    table made = make(capacity);
    for (int turn = 0; turn < 4; turn++) {
        bool has_nulls = turn % 2 == 1;
        const uint8_t *bits = has_nulls ? not_null : NULL;
        const uriv_strings32 with_small = {count, small, {buffer, length}, bits};
        const uriv_strings64 with_large = {count, large, {buffer, length}, bits};
        uriv_counts counts;
        uriv_status status = turn < 2
            ? uriv_scan_strings32(scanner, &with_small, &made.columns, &counts)
            : uriv_scan_strings64(scanner, &with_large, &made.columns, &counts);
        CHECK(status == URIV_STATUS_OK && counts.records == (count < capacity ? count : capacity) && counts.bytes == 0);
        CHECK(counts.valid + counts.invalid + counts.nulls == counts.records);
        CHECK(counts.nulls == (has_nulls ? counts.records / 3 : 0));
        for (size_t row = 0; row < counts.records; row++) {
            if (!has_nulls || row % 3 != 2) {
                check_row(validator, &made, row, buffer + small[row], (size_t)(small[row + 1] - small[row]), (size_t)small[row]);
                continue;
            }
            CHECK(made.columns.valid[row] == 0 && made.columns.error_kinds[row] == 0);
            CHECK((made.columns.valid_bits[row / 8] >> row % 8 & 1) == 0);
            CHECK(made.columns.spans[URIV_PART_RECORD][row].start == URIV_ABSENT);
        }
    }
    release(&made);
    uriv_scanner_free(scanner);
}

static void edges(const uriv_validator *validator) {
    uriv_scanner *scanner = NULL;
    uriv_counts counts = {9, 9, 9, 9, 9};
    uriv_columns none = {0};
    CHECK(uriv_scanner_new(NULL, &scanner) == URIV_STATUS_INVALID_ARGUMENT && scanner == NULL);
    CHECK(uriv_scanner_new(validator, NULL) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_scanner_new(validator, &scanner) == URIV_STATUS_OK);
    CHECK(uriv_scan_lines(scanner, (uriv_bytes){NULL, 0}, NULL, &counts) == URIV_STATUS_OK && counts.records == 0 && counts.bytes == 0);
    CHECK(uriv_scan_lines(scanner, (uriv_bytes){NULL, 1}, NULL, &counts) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_scan_lines(NULL, URIV_BYTES("a"), NULL, &counts) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_scan_lines(scanner, URIV_BYTES("a:"), &none, &counts) == URIV_STATUS_OK && counts.records == 0 && counts.bytes == 0);
    CHECK(uriv_scan_lines(scanner, URIV_BYTES("a:\n\nb"), NULL, NULL) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_scan_lines(scanner, URIV_BYTES("a:\n\nb"), NULL, &counts) == URIV_STATUS_OK);
    CHECK(counts.records == 3 && counts.valid == 1 && counts.invalid == 2 && counts.bytes == 5);
    CHECK(uriv_count_records((uriv_bytes){NULL, 0}) == 0 && uriv_count_records((uriv_bytes){NULL, 5}) == 0);
    CHECK(uriv_count_records(URIV_BYTES("\n")) == 1 && uriv_count_records(URIV_BYTES("\n\na")) == 3);

    uint8_t valid[4];
    uriv_columns columns = {0};
    columns.capacity = 4;
    columns.valid = valid;
    columns.spans[URIV_PART_HOST] = (uriv_span *)(void *)((char *)malloc(64) + 1);
    CHECK(uriv_scan_lines(scanner, URIV_BYTES("a:"), &columns, &counts) == URIV_STATUS_INVALID_ARGUMENT && counts.records == 0);
    free((char *)columns.spans[URIV_PART_HOST] - 1);
    columns.spans[URIV_PART_HOST] = NULL;

    const int32_t falling[] = {0, 4, 2}, beyond[] = {0, 5}, negative[] = {-1, 2};
    const int64_t large[] = {0, (int64_t)1 << 40};
    const uriv_bytes values = URIV_BYTES("a:b:"), null = {NULL, 1};
    const uriv_strings32 out_of_order[] = {{2, falling, values, NULL}, {1, beyond, values, NULL}, {1, negative, values, NULL}};
    for (size_t i = 0; i < 3; i++) {
        CHECK(uriv_scan_strings32(scanner, &out_of_order[i], &columns, &counts) == URIV_STATUS_OFFSETS_OUT_OF_ORDER);
        CHECK(counts.records == 0);
    }
    const uriv_strings32 one = {1, falling, values, NULL}, zeros = {0};
    const uriv_strings32 impossible[] = {{1, NULL, {NULL, 0}, NULL}, {1, falling, null, NULL}, {SIZE_MAX, falling, values, NULL}};
    for (size_t i = 0; i < 3; i++) {
        CHECK(uriv_scan_strings32(scanner, &impossible[i], &columns, &counts) == URIV_STATUS_INVALID_ARGUMENT);
    }
    const uriv_strings64 far = {1, large, values, NULL}, zeros64 = {0};
    CHECK(uriv_scan_strings64(scanner, &far, &columns, &counts) == URIV_STATUS_OFFSETS_OUT_OF_ORDER);
    CHECK(uriv_scan_strings32(scanner, &zeros, &columns, &counts) == URIV_STATUS_OK && counts.records == 0);
    CHECK(uriv_scan_strings64(scanner, &zeros64, &columns, &counts) == URIV_STATUS_OK && counts.records == 0);
    CHECK(uriv_scan_strings32(scanner, NULL, &columns, &counts) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_scan_strings64(scanner, NULL, &columns, &counts) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_scan_strings32(scanner, &one, &columns, NULL) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(uriv_scan_strings64(scanner, &zeros64, &columns, NULL) == URIV_STATUS_INVALID_ARGUMENT);
    /* The scanner works after a failure. */
    CHECK(uriv_scan_strings32(scanner, &one, &columns, &counts) == URIV_STATUS_OK && valid[0] == 1);
    uriv_scanner_free(scanner);
    uriv_scanner_free(NULL);
}

/* A record that is longer than a piece, between other records. */
static void long_records(const uriv_validator *validator) {
    enum { LONG = 3 << 20 };
    char *buffer = malloc(LONG + 40);
    size_t length = 0;
    memcpy(buffer, "http://h/\nhttp://h/", 19);
    length += 19;
    memset(buffer + length, 'a', LONG);
    length += LONG;
    memcpy(buffer + length, "\r\n\nx:", 5);
    length += 5;
    lines(validator, buffer, length, 1);
    lines(validator, buffer, length, 3);
    lines(validator, buffer, length, LONG * 2);
    free(buffer);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    FILE *file = fopen(arguments[1], "rb");
    CHECK(file != NULL);
    enum { COPIES = 24 };
    size_t size = 1 << 20, length = 0;
    char *one = malloc(size);
    length = fread(one, 1, size, file);
    CHECK(length > 0 && length < size);
    fclose(file);
    /* The buffer is longer than a piece. */
    char *buffer = malloc(length * COPIES);
    for (int copy = 0; copy < COPIES; copy++) {
        memcpy(buffer + (size_t)copy * length, one, length);
    }
    for (uint32_t grammar = 0; grammar <= URIV_GRAMMAR_REQUEST_TARGET; grammar++) {
        const uriv_validator *validator = NULL;
        CHECK(uriv_validator_get(grammar, 0, &validator) == URIV_STATUS_OK);
        const size_t capacities[] = {1, 7, 64, 1000};
        for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
            lines(validator, one, length, capacities[i]);
            strings(validator, one, length, capacities[i]);
        }
        lines(validator, buffer, length * COPIES, 1000000);
        strings(validator, buffer, length * COPIES, MOST);
        long_records(validator);
        if (grammar == URIV_GRAMMAR_URI) {
            edges(validator);
        }
    }
    free(buffer);
    free(one);
    puts("scan: passed");
    return 0;
}
