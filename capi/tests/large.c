/* Tests buffers of more than 4 GiB. They consist of the same 11 MiB of a file, mapped repeatedly. */
#include <stdio.h>
#include <sys/mman.h>
#include <urivalidate.h>

#include "check.h"

enum { BLOCK = 11 << 20, BLOCKS = 400 };
static const size_t LENGTH = (size_t)BLOCK * BLOCKS;

/* A buffer that repeats a text. The length of the text divides the length of a block. */
static char *repeated(const char *text) {
    const size_t length = strlen(text);
    char *block = malloc(BLOCK);
    for (size_t at = 0; at < BLOCK; at += length) {
        memcpy(block + at, text, length);
    }
    FILE *file = tmpfile();
    CHECK(file != NULL && fwrite(block, 1, BLOCK, file) == BLOCK && fflush(file) == 0);
    free(block);
    char *buffer = mmap(NULL, LENGTH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(buffer != MAP_FAILED);
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(mmap(buffer + i * BLOCK, BLOCK, PROT_READ, MAP_SHARED | MAP_FIXED, fileno(file), 0) != MAP_FAILED);
    }
    fclose(file);
    return buffer;
}

/* Writes a text that ends before byte `end` of a buffer. The pages with its bytes become copies. */
static void overwrite(char *buffer, size_t end, const char *text, size_t length) {
    enum { PAGES = 1 << 16 };
    size_t first = (end - length) / PAGES * PAGES;
    char *copy = malloc(2 * PAGES);
    memcpy(copy, buffer + first, 2 * PAGES);
    CHECK(mmap(buffer + first, 2 * PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
    memcpy(buffer + first, copy, 2 * PAGES);
    free(copy);
    memcpy(buffer + end - length, text, length);
}

/* The longest record has 2^32 - 2 bytes, with or without a line end after it. */
static void longest_record(const uriv_validator *validator, uriv_scanner *scanner, char *buffer) {
    const size_t longest = UINT32_MAX - 1;
    uriv_span span;
    uint8_t kind;
    uriv_columns columns = {0};
    columns.capacity = 1;
    columns.spans[URIV_PART_RECORD] = &span;
    columns.error_kinds = &kind;
    uriv_counts counts;
    uriv_error error;
    CHECK(uriv_parse(validator, (uriv_bytes){buffer, longest}, NULL, &error) == URIV_STATUS_INVALID);
    CHECK(error.kind == URIV_ERROR_KIND_MISSING_SCHEME);
    CHECK(uriv_parse(validator, (uriv_bytes){buffer, longest + 1}, NULL, &error) == URIV_STATUS_INVALID);
    CHECK(error.kind == URIV_ERROR_KIND_RECORD_TOO_LONG && error.offset == longest);

    static const char *const ends[] = {"", "\n", "\r\n", "\na:\n"};
    for (size_t i = 0; i < 4; i++) {
        size_t end = strlen(ends[i]), line = longest + (i == 3 ? 1 : end);
        overwrite(buffer, longest + end, ends[i], end);
        for (int with_columns = 0; with_columns < 2; with_columns++) {
            const uriv_columns *to = with_columns ? &columns : NULL;
            size_t length = longest + (with_columns ? end : line - longest);
            CHECK(uriv_scan_lines(scanner, (uriv_bytes){buffer, length}, to, &counts) == URIV_STATUS_OK);
            CHECK(counts.records == 1 && counts.invalid == 1 && counts.bytes == line);
        }
        CHECK(span.start == 0 && span.end == longest && kind == URIV_ERROR_KIND_MISSING_SCHEME);
        /* With a byte more, the record is too long. */
        overwrite(buffer, longest + 1 + end, ends[i], end);
        overwrite(buffer, longest + 1, "a", 1);
        CHECK(uriv_scan_lines(scanner, (uriv_bytes){buffer, longest + 1 + end}, &columns, &counts) == URIV_STATUS_TOO_LONG);
        CHECK(uriv_scan_lines(scanner, (uriv_bytes){buffer, longest + 1 + end}, NULL, &counts) == URIV_STATUS_TOO_LONG && counts.bytes == 0);
    }
}

int main(void) {
    const uriv_validator *validator;
    uriv_scanner *scanner;
    CHECK(uriv_validator_get(URIV_GRAMMAR_URI, 0, &validator) == URIV_STATUS_OK);
    CHECK(uriv_scanner_new(validator, &scanner) == URIV_STATUS_OK);
    char *buffer = repeated("http://h/a\n");
    const size_t records = LENGTH / 11;
    uriv_counts counts;
    CHECK(uriv_scan_lines(scanner, (uriv_bytes){buffer, LENGTH}, NULL, &counts) == URIV_STATUS_OK);
    CHECK(counts.records == records && counts.valid == records && counts.bytes == LENGTH);

    /* With columns, a scan stops before 2^32 - 1 bytes, after a whole record. */
    uriv_columns columns = {0};
    columns.capacity = records;
    columns.valid_bits = malloc((records + 7) / 8);
    CHECK(uriv_scan_lines(scanner, (uriv_bytes){buffer, LENGTH}, &columns, &counts) == URIV_STATUS_OK);
    CHECK(counts.bytes < UINT32_MAX && counts.bytes > UINT32_MAX - (1 << 20) && counts.bytes == counts.records * 11);
    size_t done = counts.bytes, first = counts.records;
    CHECK(uriv_scan_lines(scanner, (uriv_bytes){buffer + done, LENGTH - done}, &columns, &counts) == URIV_STATUS_OK);
    CHECK(done + counts.bytes == LENGTH && first + counts.records == records && counts.valid == counts.records);
    CHECK(munmap(buffer, LENGTH) == 0);

    /* No record can have this number of bytes. */
    buffer = repeated("a");
    CHECK(uriv_scan_lines(scanner, (uriv_bytes){buffer, LENGTH}, &columns, &counts) == URIV_STATUS_TOO_LONG && counts.records == 0);
    CHECK(uriv_scan_lines(scanner, (uriv_bytes){buffer, LENGTH}, NULL, &counts) == URIV_STATUS_TOO_LONG && counts.bytes == 0);
    uriv_error error;
    CHECK(uriv_parse(validator, (uriv_bytes){buffer, LENGTH}, NULL, &error) == URIV_STATUS_INVALID);
    CHECK(error.kind == URIV_ERROR_KIND_RECORD_TOO_LONG && error.offset == UINT32_MAX - 1);
    longest_record(validator, scanner, buffer);
    CHECK(munmap(buffer, LENGTH) == 0);

    free(columns.valid_bits);
    uriv_scanner_free(scanner);
    puts("large: passed");
    return 0;
}
