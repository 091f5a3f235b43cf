/* Tests threads that share a validator and a part of URLs. Each has its own scanner. */
#include <pthread.h>
#include <urivalidate.h>

#include "check.h"

enum { THREADS = 4, ROUNDS = 200 };

static const uriv_validator *validator;
static uriv_url_part *value;

static void *run(void *unused) {
    (void)unused;
    uriv_scanner *scanner = NULL;
    CHECK(uriv_scanner_new(validator, &scanner) == URIV_STATUS_OK);
    for (int round = 0; round < ROUNDS; round++) {
        char memory[64];
        uriv_text text = {memory, sizeof memory, 0};
        uriv_counts counts;
        CHECK(uriv_is_valid(validator, URIV_BYTES("http://example.com/a?b")));
        CHECK(uriv_parse_url(value, URIV_BYTES("http://h/?a=1&b2=3"), &text, NULL) == URIV_STATUS_OK);
        CHECK(text.length == 1 && strcmp(memory, "3") == 0);
        CHECK(uriv_normalize(validator, URIV_FORM_SCHEME, URIV_BYTES("HTTP://h"), &text, NULL) == URIV_STATUS_OK);
        CHECK(strcmp(memory, "http://h/") == 0);
        CHECK(uriv_domain(validator, true, URIV_BYTES("http://a.b.github.io"), &text, NULL) == URIV_STATUS_OK);
        CHECK(strcmp(memory, "b.github.io") == 0);
        CHECK(uriv_scan_lines(scanner, URIV_BYTES("http://h/\nh\nhttp://i/"), NULL, &counts) == URIV_STATUS_OK);
        CHECK(counts.records == 3 && counts.valid == 2);
    }
    uriv_scanner_free(scanner);
    return NULL;
}

int main(void) {
    CHECK(uriv_validator_get(URIV_GRAMMAR_URI, 0, &validator) == URIV_STATUS_OK);
    CHECK(uriv_url_part_new(URIV_BYTES("QUERY"), URIV_BYTES("b[0-9]"), &value, NULL) == URIV_STATUS_OK);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, run, NULL) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    uriv_url_part_free(value);
    puts("threads: passed");
    return 0;
}
