/* Times each kind of functions with a list of URIs, one in each line. Prints medians of the CPU time, in GB/s and in nanoseconds per record.
 *
 *   cc -std=c11 -O2 -D_POSIX_C_SOURCE=200809L speed.c $(pkg-config --cflags --libs urivalidate) -o speed
 *   ./speed urls.txt
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <urivalidate.h>

enum { ROUNDS = 9, CAPACITY = 1 << 16 };

static char *buffer;
static size_t length, records;
static const uriv_validator *validator;
static uriv_scanner *scanner;
static uriv_url_part *host;
static uriv_columns columns;
/* Uses all results, so that the compiler removes no call. */
static volatile size_t sink;

static void scan(void) {
    uriv_bytes rest = {buffer, length};
    while (rest.length > 0) {
        uriv_counts counts;
        if (uriv_scan_lines(scanner, rest, columns.capacity == 0 ? NULL : &columns, &counts) != URIV_STATUS_OK) {
            exit(2);
        }
        rest.data += counts.bytes;
        rest.length -= counts.bytes;
        sink += counts.valid;
    }
}

static void count(void) {
    sink += uriv_count_records((uriv_bytes){buffer, length});
}

typedef void each(uriv_bytes record);

static void call_each(each *call) {
    for (size_t start = 0; start < length;) {
        const char *end = memchr(buffer + start, '\n', length - start);
        size_t line = end == NULL ? length - start : (size_t)(end - buffer - start);
        call((uriv_bytes){buffer + start, line});
        start += line + 1;
    }
}

static void one_nothing(uriv_bytes record) {
    sink += record.length + (size_t)*record.data;
}

static void one_is_valid(uriv_bytes record) {
    sink += uriv_is_valid(validator, record);
}

static void one_parse(uriv_bytes record) {
    uriv_components components;
    sink += uriv_parse(validator, record, &components, NULL);
}

static void one_normalize(uriv_bytes record) {
    static char memory[1 << 16];
    uriv_text text = {memory, sizeof memory, 0};
    uriv_normalize(validator, URIV_FORM_SCHEME, record, &text, NULL);
    sink += text.length;
}

static void one_parse_url(uriv_bytes record) {
    static char memory[1 << 16];
    uriv_text text = {memory, sizeof memory, 0};
    uriv_parse_url(host, record, &text, NULL);
    sink += text.length;
}

static int by_size(const void *one, const void *other) {
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

static void report(const char *name, void (*whole)(void), each *call) {
    double times[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec start, end;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
        if (call == NULL) {
            whole();
        } else {
            call_each(call);
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        times[round] = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    }
    qsort(times, ROUNDS, sizeof *times, by_size);
    double median = times[ROUNDS / 2];
    printf("%-34s %7.2f GB/s %8.1f ns a record\n", name, (double)length / median * 1e-9, median / (double)records * 1e9);
}

int main(int argument_count, char **arguments) {
    FILE *file = argument_count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "usage: speed FILE\n");
        return 2;
    }
    length = (size_t)ftell(file);
    rewind(file);
    buffer = malloc(length);
    static uriv_span spans[URIV_PART_COUNT][CAPACITY];
    static uint8_t bits[CAPACITY / 8];
    if (buffer == NULL || fread(buffer, 1, length, file) != length || uriv_validator_get(URIV_GRAMMAR_URI, 0, &validator) != URIV_STATUS_OK
        || uriv_scanner_new(validator, &scanner) != URIV_STATUS_OK
        || uriv_url_part_new(URIV_BYTES("HOST"), (uriv_bytes){NULL, 0}, &host, NULL) != URIV_STATUS_OK) {
        return 2;
    }
    fclose(file);
    records = uriv_count_records((uriv_bytes){buffer, length});

    report("uriv_count_records", count, NULL);
    report("uriv_scan_lines, counts", scan, NULL);
    columns.capacity = CAPACITY;
    columns.valid_bits = bits;
    report("uriv_scan_lines, bits", scan, NULL);
    columns.spans[URIV_PART_HOST] = spans[URIV_PART_HOST];
    report("uriv_scan_lines, bits and hosts", scan, NULL);
    for (int part = 0; part < URIV_PART_COUNT; part++) {
        columns.spans[part] = spans[part];
    }
    report("uriv_scan_lines, all parts", scan, NULL);
    report("a loop with memchr", NULL, one_nothing);
    report("uriv_is_valid", NULL, one_is_valid);
    report("uriv_parse", NULL, one_parse);
    report("uriv_normalize", NULL, one_normalize);
    report("uriv_parse_url", NULL, one_parse_url);

    uriv_url_part_free(host);
    uriv_scanner_free(scanner);
    free(buffer);
    return 0;
}
