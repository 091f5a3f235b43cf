/* Tests the functions over arrays, which use Arrow's C data interface. */
#include <urivalidate.h>

#include "check.h"

_Static_assert(sizeof(uriv_arrow_in) == 2 * sizeof(void *) && sizeof(uriv_arrow_out) == 2 * sizeof(void *), "the header says so");
_Static_assert(sizeof(uriv_arrow_fields) == 2 * sizeof(size_t) + 8, "the header says so");

/* The number of arrays that this program has made and the library has not yet released. */
static int alive;

typedef struct {
    const void *buffers[4];
    char *values;
    void *offsets;
    uint8_t *not_null;
} content;

static void release_array(struct ArrowArray *array) {
    content *held = array->private_data;
    free(held->values);
    free(held->offsets);
    free(held->not_null);
    free(held);
    array->release = NULL;
    alive--;
}

/* A schema needs no release: it is constant. */
static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static struct ArrowSchema schema_of(const char *format) {
    struct ArrowSchema schema = {0};
    schema.format = format;
    schema.name = "";
    schema.flags = ARROW_FLAG_NULLABLE;
    schema.release = release_schema;
    return schema;
}

/* An array of strings whose buffers are no larger than necessary. A NULL pointer becomes NULL. */
static struct ArrowArray strings(const char *const *texts, size_t count) {
    content *held = calloc(1, sizeof *held);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        length += texts[i] == NULL ? 0 : strlen(texts[i]);
    }
    int32_t *offsets = malloc((count + 1) * sizeof *offsets);
    held->values = malloc(length + 1);
    held->offsets = offsets;
    held->not_null = calloc(1, (count + 7) / 8 + 1);
    offsets[0] = 0;
    int64_t nulls = 0;
    for (size_t i = 0; i < count; i++) {
        size_t own = texts[i] == NULL ? 0 : strlen(texts[i]);
        memcpy(held->values + offsets[i], texts[i] == NULL ? "" : texts[i], own);
        offsets[i + 1] = offsets[i] + (int32_t)own;
        held->not_null[i / 8] |= (uint8_t)((texts[i] != NULL) << i % 8);
        nulls += texts[i] == NULL;
    }
    held->buffers[0] = held->not_null;
    held->buffers[1] = held->offsets;
    held->buffers[2] = held->values;
    struct ArrowArray array = {0};
    array.length = (int64_t)count;
    array.null_count = nulls;
    array.n_buffers = 3;
    array.buffers = held->buffers;
    array.release = release_array;
    array.private_data = held;
    alive++;
    return array;
}

/* A result with its schema. */
typedef struct {
    struct ArrowSchema schema;
    struct ArrowArray array;
} result;

static uriv_arrow_out out(result *made) {
    return (uriv_arrow_out){&made->schema, &made->array};
}

static void drop(result *made) {
    CHECK(made->schema.release != NULL && made->array.release != NULL);
    made->schema.release(&made->schema);
    made->array.release(&made->array);
    CHECK(made->schema.release == NULL && made->array.release == NULL);
    /* A result may share memory with its array. */
    CHECK(alive == 0);
}

static bool is_there(const struct ArrowArray *array, int64_t row) {
    const uint8_t *bits = array->buffers[0];
    row += array->offset;
    return bits == NULL || (bits[row / 8] >> row % 8 & 1) != 0;
}

static bool is_set(const struct ArrowArray *array, int64_t row) {
    const uint8_t *bits = array->buffers[1];
    row += array->offset;
    return (bits[row / 8] >> row % 8 & 1) != 0;
}

/* Whether a row of strings with 32-bit offsets is this text, or NULL. */
static bool is_text(const struct ArrowArray *array, int64_t row, const char *text) {
    if (!is_there(array, row) || text == NULL) {
        return !is_there(array, row) && text == NULL;
    }
    const int32_t *offsets = (const int32_t *)array->buffers[1] + array->offset;
    const char *values = array->buffers[2];
    size_t length = (size_t)(offsets[row + 1] - offsets[row]);
    return length == strlen(text) && memcmp(values + offsets[row], text, length) == 0;
}

static int64_t place(const result *made, const char *name) {
    for (int64_t i = 0; i < made->schema.n_children; i++) {
        if (strcmp(made->schema.children[i]->name, name) == 0) {
            return i;
        }
    }
    CHECK(!"no such field");
    return -1;
}

static const struct ArrowArray *child(const result *made, const char *name) {
    return made->array.children[place(made, name)];
}

static const struct ArrowSchema *child_schema(const result *made, const char *name) {
    return made->schema.children[place(made, name)];
}

static const char *const URLS[] = {"HTTP://www.Example.com:80/a/../b?x=1&y=2", "no uri", NULL, "http://h/a b", "mailto:a@b", ""};
enum { COUNT = sizeof URLS / sizeof *URLS };
static const uriv_validator *uri, *reference;

/* Calls a function with the URLs, and checks that it takes them over and releases them in the end. */
#define CALL(call, ...) \
    struct ArrowSchema schema = schema_of("u"); \
    struct ArrowArray array = strings(URLS, COUNT); \
    result made; \
    uriv_failure failure; \
    CHECK(call(__VA_ARGS__ (uriv_arrow_in){&schema, &array}, out(&made), &failure) == URIV_STATUS_OK); \
    CHECK(array.release == NULL && schema.release != NULL && made.array.length == COUNT)

#define CHECK_TEXTS(array, ...) \
    do { \
        const char *const expected[COUNT] = {__VA_ARGS__}; \
        for (int64_t row = 0; row < COUNT; row++) { \
            CHECK(is_text(array, row, expected[row])); \
        } \
    } while (0)

static void verdicts(void) {
    CALL(uriv_arrow_is_valid_uri, uri, );
    CHECK(strcmp(made.schema.format, "b") == 0 && made.array.null_count == 1);
    const bool expected[COUNT] = {true, false, false, false, true, false};
    for (int64_t row = 0; row < COUNT; row++) {
        CHECK(is_there(&made.array, row) == (row != 2));
        CHECK(row == 2 || is_set(&made.array, row) == expected[row]);
    }
    drop(&made);
}

static void components(void) {
    CALL(uriv_arrow_parse_uri, uri, NULL, );
    CHECK(strcmp(made.schema.format, "+s") == 0 && made.schema.n_children == 10);
    CHECK_TEXTS(child(&made, "host"), "www.Example.com", NULL, NULL, NULL, NULL, NULL);
    CHECK_TEXTS(child(&made, "path"), "/a/../b", NULL, NULL, NULL, "a@b", NULL);
    for (int64_t i = 0; i < made.schema.n_children; i++) {
        bool is_kind = strcmp(made.schema.children[i]->name, "host_kind") == 0;
        CHECK((made.schema.children[i]->dictionary != NULL) == is_kind);
    }
    drop(&made);
}

static void some_components(void) {
    const uriv_bytes names[] = {URIV_BYTES("host_kind"), URIV_BYTES("query")};
    const uriv_arrow_fields fields = {names, 2, URIV_STRING_NAMES, 0};
    CALL(uriv_arrow_parse_uri, uri, &fields, );
    CHECK(made.schema.n_children == 2 && strcmp(made.schema.children[0]->format, "u") == 0);
    CHECK_TEXTS(made.array.children[0], "reg-name", NULL, NULL, NULL, NULL, NULL);
    CHECK_TEXTS(made.array.children[1], "x=1&y=2", NULL, NULL, NULL, NULL, NULL);
    drop(&made);
}

/* Views refer to the array's own memory, which lives as long as the views. */
static void views(void) {
    const uriv_bytes path = URIV_BYTES("path");
    const uriv_arrow_fields one = {&path, 1, URIV_VIEWS, 0}, all = {NULL, 0, URIV_VIEWS, 0};
    {
        CALL(uriv_arrow_parse_uri, uri, &one, );
        CHECK(made.schema.n_children == 1 && strcmp(made.schema.children[0]->format, "vu") == 0 && alive == 1);
        drop(&made);
    }
    CALL(uriv_arrow_parse_uri, uri, &all, );
    CHECK(made.schema.n_children == 10 && strcmp(child_schema(&made, "path")->format, "vu") == 0 && alive == 1);
    drop(&made);
}

static void places(void) {
    CALL(uriv_arrow_uri_spans, uri, );
    CHECK(made.schema.n_children == 17);
    const int32_t *start = (const int32_t *)child(&made, "host_start")->buffers[1];
    const int32_t *end = (const int32_t *)child(&made, "host_end")->buffers[1];
    CHECK(start[0] == 7 && end[0] == 22 && !is_there(child(&made, "host_start"), 4));
    drop(&made);
}

static void errors(void) {
    CALL(uriv_arrow_uri_error, uri, );
    CHECK_TEXTS(child(&made, "kind"), NULL, "missing-scheme", NULL, "space", NULL, "empty");
    CHECK_TEXTS(child(&made, "component"), NULL, "scheme", NULL, "path", NULL, NULL);
    CHECK(((const int32_t *)child(&made, "offset")->buffers[1])[3] == 10);
    drop(&made);
}

static void urls(void) {
    uriv_url_part *part = NULL;
    CHECK(uriv_url_part_new(URIV_BYTES("QUERY"), URIV_BYTES("y"), &part, NULL) == URIV_STATUS_OK);
    {
        CALL(uriv_arrow_try_parse_url, part, );
        CHECK_TEXTS(&made.array, "2", NULL, NULL, NULL, NULL, NULL);
        drop(&made);
    }
    struct ArrowSchema schema = schema_of("z");
    struct ArrowArray array = strings(URLS, COUNT);
    result made = {0};
    uriv_failure failure;
    CHECK(uriv_arrow_parse_url(part, (uriv_arrow_in){&schema, &array}, out(&made), &failure) == URIV_STATUS_INVALID);
    CHECK(array.release == NULL && alive == 0 && made.array.release == NULL && made.schema.release == NULL);
    CHECK(failure.status == URIV_STATUS_INVALID && failure.row == 1 && failure.kind == URIV_ERROR_KIND_SPACE);
    CHECK(failure.part == URIV_PART_PATH && failure.offset == 2 && strstr(failure.message, "row 1") != NULL);
    array = strings(URLS, 1);
    CHECK(uriv_arrow_parse_url(part, (uriv_arrow_in){&schema, &array}, out(&made), &failure) == URIV_STATUS_OK);
    CHECK(is_text(&made.array, 0, "2") && made.array.length == 1);
    drop(&made);
    uriv_url_part_free(part);
}

static void single_components(void) {
    {
        CALL(uriv_arrow_url_extract, uri, URIV_PART_HOST, );
        CHECK_TEXTS(&made.array, "www.Example.com", NULL, NULL, NULL, NULL, NULL);
        drop(&made);
    }
    CALL(uriv_arrow_url_extract, uri, URIV_PART_PORT, );
    CHECK(strcmp(made.schema.format, "l") == 0 && ((const int64_t *)made.array.buffers[1])[0] == 80);
    drop(&made);
    {
        CALL(uriv_arrow_host_in, uri, URIV_BYTES(".example.com"), );
        CHECK(strcmp(made.schema.format, "b") == 0 && *(const uint8_t *)made.array.buffers[1] == 1);
        drop(&made);
    }
    {
        CALL(uriv_arrow_url_extract_parameter, uri, URIV_BYTES("y"), );
        CHECK_TEXTS(&made.array, "2", NULL, NULL, NULL, NULL, NULL);
        drop(&made);
    }
}

/* Text as forms send it. */
static void forms(void) {
    const char *const of_rows[COUNT] = {"a b", "%26", NULL, "", "*", "a=b"};
    struct ArrowSchema schema = schema_of("u");
    struct ArrowArray array = strings(of_rows, COUNT);
    result made;
    CHECK(uriv_arrow_url_encode((uriv_arrow_in){&schema, &array}, out(&made), NULL) == URIV_STATUS_OK);
    CHECK_TEXTS(&made.array, "a+b", "%2526", NULL, "", "*", "a%3Db");
    drop(&made);
    schema = schema_of("u");
    array = strings(of_rows, COUNT);
    CHECK(uriv_arrow_url_decode((uriv_arrow_in){&schema, &array}, out(&made), NULL) == URIV_STATUS_OK);
    CHECK_TEXTS(&made.array, "a b", "&", NULL, "", "*", "a=b");
    drop(&made);
    const char *const wrong[2] = {"a", "%zz"};
    uriv_failure failure;
    schema = schema_of("u");
    array = strings(wrong, 2);
    CHECK(uriv_arrow_url_decode((uriv_arrow_in){&schema, &array}, out(&made), &failure) == URIV_STATUS_INVALID);
    CHECK(failure.row == 1 && failure.kind == URIV_ERROR_KIND_NONE);
}

static void texts(void) {
    {
        CALL(uriv_arrow_normalize_uri, uri, URIV_FORM_SCHEME, );
        CHECK_TEXTS(&made.array, "http://www.example.com/b?x=1&y=2", NULL, NULL, NULL, "mailto:a@b", NULL);
        drop(&made);
    }
    {
        CALL(uriv_arrow_resolve_uri, reference, URIV_BYTES("http://h/c"), );
        CHECK_TEXTS(&made.array, "HTTP://www.Example.com:80/b?x=1&y=2", NULL, NULL, NULL, "mailto:a@b", "http://h/c");
        drop(&made);
    }
    {
        CALL(uriv_arrow_relativize_uri, reference, URIV_BYTES("mailto:b"), );
        CHECK_TEXTS(&made.array, URLS[0], NULL, NULL, NULL, "a@b", NULL);
        drop(&made);
    }
    {
        CALL(uriv_arrow_uri_surt, );
        CHECK_TEXTS(&made.array, "com,example)/b?x=1&y=2", "no%20uri)/", NULL, "h)/a%20b", "mailto:a@b", "-");
        drop(&made);
    }
    {
        CALL(uriv_arrow_uri_suffix, uri, false, );
        CHECK_TEXTS(&made.array, "com", NULL, NULL, NULL, NULL, NULL);
        drop(&made);
    }
    CALL(uriv_arrow_uri_domain, uri, true, );
    CHECK_TEXTS(&made.array, "example.com", NULL, NULL, NULL, NULL, NULL);
    drop(&made);
}

/* Each row has its own base. */
static void bases(void) {
    const char *const of_rows[COUNT] = {"http://a/", "http://a/", NULL, "http://b/", NULL, "http://c/d"};
    for (int turn = 0; turn < 2; turn++) {
        struct ArrowSchema base_schema = schema_of("u"), schema = schema_of("u");
        struct ArrowArray base_array = strings(of_rows, COUNT), array = strings(URLS, COUNT);
        result made;
        uriv_status status = turn == 0
            ? uriv_arrow_resolve_uri_each(reference, (uriv_arrow_in){&base_schema, &base_array}, (uriv_arrow_in){&schema, &array}, out(&made), NULL)
            : uriv_arrow_relativize_uri_each(reference, (uriv_arrow_in){&base_schema, &base_array}, (uriv_arrow_in){&schema, &array}, out(&made), NULL);
        CHECK(status == URIV_STATUS_OK && base_array.release == NULL && array.release == NULL);
        if (turn == 0) {
            CHECK_TEXTS(&made.array, "HTTP://www.Example.com:80/b?x=1&y=2", NULL, NULL, NULL, NULL, "http://c/d");
        }
        drop(&made);
    }
    struct ArrowSchema schema = schema_of("u");
    struct ArrowArray base_array = strings(of_rows, COUNT - 1), array = strings(URLS, COUNT);
    result made = {0};
    uriv_failure failure;
    const uriv_arrow_in some = {&schema, &base_array}, all = {&schema, &array};
    CHECK(uriv_arrow_resolve_uri_each(reference, some, all, out(&made), &failure) == URIV_STATUS_INVALID_ARRAY);
    CHECK(alive == 0 && made.array.release == NULL && strstr(failure.message, "5 bases for 6 records") != NULL);
}

/* A slice (a part of an array with an offset), and an empty array. */
static void slices(void) {
    struct ArrowSchema schema = schema_of("u");
    struct ArrowArray array = strings(URLS, COUNT);
    array.offset = 2;
    array.length = 3;
    array.null_count = -1;
    result made;
    CHECK(uriv_arrow_url_extract(uri, URIV_PART_PATH, (uriv_arrow_in){&schema, &array}, out(&made), NULL) == URIV_STATUS_OK);
    CHECK(made.array.length == 3 && is_text(&made.array, 0, NULL) && is_text(&made.array, 1, NULL) && is_text(&made.array, 2, "a@b"));
    drop(&made);
    array = strings(URLS, 0);
    CHECK(uriv_arrow_is_valid_uri(uri, (uriv_arrow_in){&schema, &array}, (uriv_arrow_out){NULL, &made.array}, NULL) == URIV_STATUS_OK);
    CHECK(made.array.length == 0);
    made.array.release(&made.array);
    CHECK(alive == 0);
}

/* Each of these calls takes over the array, and writes only the failure. */
static void failures(void) {
    struct ArrowSchema schema = schema_of("u"), numbers = schema_of("i"), unknown = schema_of("?");
    result made = {0};
    uriv_failure failure;
    const uriv_bytes names[] = {URIV_BYTES("host"), URIV_BYTES("host"), URIV_BYTES("hosts"), {NULL, 1}, {"host", SIZE_MAX}};
    const uriv_arrow_fields twice = {names, 2, 0, 0}, none = {names + 2, 1, 0, 0}, null = {names + 3, 1, 0, 0};
    const uriv_arrow_fields endless = {names + 4, 1, 0, 0}, nothing = {NULL, 1, 0, 0}, option = {NULL, 0, 4, 0}, reserved = {NULL, 0, 0, 1};
#define CHECK_FAILURE(expected, call, given, ...) \
    do { \
        struct ArrowArray array = strings(URLS, COUNT); \
        memset(&failure, 0xAA, sizeof failure); \
        CHECK(call(__VA_ARGS__ (uriv_arrow_in){given, &array}, out(&made), &failure) == expected); \
        CHECK(failure.status == expected && failure.row == -1 && failure.kind == URIV_ERROR_KIND_NONE); \
        CHECK(memchr(failure.message, 0, sizeof failure.message) != NULL && failure.message[0] != 0); \
        CHECK(array.release == NULL && alive == 0 && made.array.release == NULL && made.schema.release == NULL); \
    } while (0)
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_is_valid_uri, &schema, NULL, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_is_valid_uri, NULL, uri, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARRAY, uriv_arrow_is_valid_uri, &unknown, uri, );
    CHECK_FAILURE(URIV_STATUS_INVALID_FIELD, uriv_arrow_parse_uri, &schema, uri, &twice, );
    CHECK_FAILURE(URIV_STATUS_INVALID_FIELD, uriv_arrow_parse_uri, &schema, uri, &none, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_parse_uri, &schema, uri, &null, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_parse_uri, &schema, uri, &endless, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_parse_uri, &schema, uri, &nothing, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_parse_uri, &schema, uri, &option, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_parse_uri, &schema, uri, &reserved, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_url_extract, &schema, uri, URIV_PART_RECORD, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_url_extract, &schema, uri, URIV_PART_PATH_AND_QUERY, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_normalize_uri, &schema, uri, 7, );
    CHECK_FAILURE(URIV_STATUS_INVALID_ARGUMENT, uriv_arrow_resolve_uri, &schema, uri, names[3], );
    CHECK_FAILURE(URIV_STATUS_INVALID_BASE, uriv_arrow_resolve_uri, &schema, uri, URIV_BYTES("www.example.com/"), );
    CHECK_FAILURE(URIV_STATUS_INVALID_BASE, uriv_arrow_relativize_uri, &schema, uri, URIV_BYTES("http://a b/"), );

    struct ArrowArray array = strings(URLS, COUNT);
    CHECK(uriv_arrow_is_valid_uri(uri, (uriv_arrow_in){&schema, &array}, (uriv_arrow_out){&made.schema, NULL}, &failure) == URIV_STATUS_INVALID_ARGUMENT);
    CHECK(array.release == NULL && alive == 0);
    CHECK(uriv_arrow_is_valid_uri(uri, (uriv_arrow_in){&schema, &array}, out(&made), &failure) == URIV_STATUS_INVALID_ARRAY);
    CHECK(strcmp(failure.message, "the array has been released") == 0);
    CHECK(uriv_arrow_is_valid_uri(uri, (uriv_arrow_in){&schema, NULL}, out(&made), NULL) == URIV_STATUS_INVALID_ARGUMENT);
    /* The other members of a released schema may have any values. */
    struct ArrowSchema released = schema;
    released.release = NULL;
    released.format = (const char *)1;
    array = strings(URLS, COUNT);
    CHECK(uriv_arrow_is_valid_uri(uri, (uriv_arrow_in){&released, &array}, out(&made), &failure) == URIV_STATUS_INVALID_ARRAY);
    CHECK(strcmp(failure.message, "the schema has been released") == 0 && array.release == NULL && alive == 0);

    /* Numbers, whose second buffer is the values. */
    array = strings(URLS, COUNT);
    array.n_buffers = 2;
    CHECK(uriv_arrow_is_valid_uri(uri, (uriv_arrow_in){&numbers, &array}, out(&made), &failure) == URIV_STATUS_UNSUPPORTED_TYPE);
    CHECK(array.release == NULL && alive == 0 && strstr(failure.message, "Int32") != NULL);

    /* An array that contradicts itself. */
    for (int turn = 0; turn < 4; turn++) {
        array = strings(URLS, COUNT);
        array.n_buffers = turn == 0 ? 1 : turn == 1 ? 2 : 3;
        array.length = turn == 2 ? -1 : COUNT;
        array.offset = turn == 3 ? INT64_MIN : 0;
        CHECK(uriv_arrow_is_valid_uri(uri, (uriv_arrow_in){&schema, &array}, out(&made), &failure) == URIV_STATUS_INVALID_ARRAY);
        CHECK(array.release == NULL && alive == 0 && failure.message[0] != 0);
    }
}

int main(void) {
    CHECK(uriv_validator_get(URIV_GRAMMAR_URI, 0, &uri) == URIV_STATUS_OK);
    CHECK(uriv_validator_get(URIV_GRAMMAR_URI_REFERENCE, 0, &reference) == URIV_STATUS_OK);
    verdicts();
    components();
    some_components();
    views();
    places();
    errors();
    urls();
    single_components();
    forms();
    texts();
    bases();
    slices();
    failures();
    CHECK(alive == 0);
    puts("arrow: passed");
    return 0;
}
