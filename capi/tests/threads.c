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
        char text[64];
        size_t length;
        uriv_counts counts;
        CHECK(uriv_is_valid(validator, TEXT("http://example.com/a?b")));
        CHECK(uriv_parse_url(value, TEXT("http://h/?a=1&b2=3"), text, sizeof text, &length, NULL) == URIV_STATUS_OK);
        CHECK(length == 1 && strcmp(text, "3") == 0);
        CHECK(uriv_normalize(validator, URIV_FORM_SCHEME, TEXT("HTTP://h"), text, sizeof text, &length, NULL) == URIV_STATUS_OK);
        CHECK(strcmp(text, "http://h/") == 0);
        CHECK(uriv_domain(validator, true, TEXT("http://a.b.github.io"), text, sizeof text, NULL, NULL) == URIV_STATUS_OK);
        CHECK(strcmp(text, "b.github.io") == 0);
        CHECK(uriv_scan_lines(scanner, TEXT("http://h/\nh\nhttp://i/"), NULL, &counts) == URIV_STATUS_OK);
        CHECK(counts.records == 3 && counts.valid == 2);
    }
    uriv_scanner_free(scanner);
    return NULL;
}

int main(void) {
    CHECK(uriv_validator_get(URIV_GRAMMAR_URI, 0, &validator) == URIV_STATUS_OK);
    CHECK(uriv_url_part_new(TEXT("QUERY"), TEXT("b[0-9]"), &value, NULL) == URIV_STATUS_OK);
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
