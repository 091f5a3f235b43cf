/* Tests buffers of more than 4 GiB. They consist of the same 11 MiB of a file, mapped repeatedly. */
#include <stdio.h>
#include <sys/mman.h>
#include <urivalidate.h>

#include "check.h"

enum { BLOCK = 11 << 20, BLOCKS = 400 };
static const size_t LENGTH = (size_t)BLOCK * BLOCKS;

/* A buffer that repeats a text. The length of the text divides the length of a block. */
static char *repeated(const char *text, size_t length) {
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

int main(void) {
    const uriv_validator *validator;
    uriv_scanner *scanner;
    CHECK(uriv_validator_get(URIV_GRAMMAR_URI, 0, &validator) == URIV_STATUS_OK);
    CHECK(uriv_scanner_new(validator, &scanner) == URIV_STATUS_OK);
    char *buffer = repeated(TEXT("http://h/a\n"));
    const size_t records = LENGTH / 11;
    uriv_counts counts;
    CHECK(uriv_scan_lines(scanner, buffer, LENGTH, NULL, &counts) == URIV_STATUS_OK);
    CHECK(counts.records == records && counts.valid == records && counts.bytes == LENGTH);

    /* With columns, a scan stops before 2^32 - 1 bytes, after a whole record. */
    uriv_columns columns = {0};
    columns.capacity = records;
    columns.valid_bits = malloc((records + 7) / 8);
    CHECK(uriv_scan_lines(scanner, buffer, LENGTH, &columns, &counts) == URIV_STATUS_OK);
    CHECK(counts.bytes < UINT32_MAX && counts.bytes > UINT32_MAX - (1 << 20) && counts.bytes == counts.records * 11);
    size_t done = counts.bytes, first = counts.records;
    CHECK(uriv_scan_lines(scanner, buffer + done, LENGTH - done, &columns, &counts) == URIV_STATUS_OK);
    CHECK(done + counts.bytes == LENGTH && first + counts.records == records && counts.valid == counts.records);
    CHECK(munmap(buffer, LENGTH) == 0);

    /* No record can have this number of bytes. */
    buffer = repeated(TEXT("a"));
    CHECK(uriv_scan_lines(scanner, buffer, LENGTH, &columns, &counts) == URIV_STATUS_TOO_LONG && counts.records == 0);
    CHECK(uriv_scan_lines(scanner, buffer, LENGTH, NULL, &counts) == URIV_STATUS_TOO_LONG && counts.bytes == 0);
    uriv_error error;
    CHECK(uriv_parse(validator, buffer, LENGTH, NULL, &error) == URIV_STATUS_INVALID);
    CHECK(error.kind == URIV_ERROR_KIND_RECORD_TOO_LONG && error.offset == UINT32_MAX - 1);
    CHECK(munmap(buffer, LENGTH) == 0);

    free(columns.valid_bits);
    uriv_scanner_free(scanner);
    puts("large: passed");
    return 0;
}
