/* urivalidate: validates and takes apart URIs in bulk.
 *
 * A record is a sequence of any bytes. A grammar says which records are valid (uriv_validator_get). The
 * functions take
 *
 *   one record            uriv_is_valid, uriv_parse, uriv_error_message
 *   text made from one    uriv_normalize, uriv_resolve, uriv_relativize, uriv_to_uri, uriv_surt,
 *                         uriv_suffix, uriv_domain, uriv_suggest, uriv_parse_url
 *   a buffer of records   uriv_scan_lines, uriv_scan_strings32, uriv_scan_strings64: they fill your columns
 *   Arrow arrays          uriv_arrow_...
 *
 * Parameters. All functions pass the same thing in the same way. A function has at most five parameters, in
 * this order: its object, its options, what it reads, what it writes, its error.
 *
 *   bytes that a function reads         uriv_bytes, by value
 *   room for a text                     a pointer to a uriv_text
 *   strings with offsets                a pointer to a uriv_strings32 or uriv_strings64
 *   room for the results of a scan      a pointer to a uriv_columns
 *   an Arrow array, room for one        uriv_arrow_in, uriv_arrow_out, by value
 *
 * Structures. Set a structure that you fill to zero first ("uriv_columns columns = {0};"), then the members
 * that you need: zero is the default of each member. A pointer to a structure must have the alignment of its
 * type, as all pointers that C makes. No structure has padding.
 *
 * Errors. A function that can fail returns a uriv_status: 0 (URIV_STATUS_OK) or a reason, which
 * uriv_status_message describes in a sentence. On failure it writes only to the places that its description
 * names. For a defect of the library it returns URIV_STATUS_INTERNAL: no panic of Rust crosses this
 * interface. If the system has no memory for a result, it returns URIV_STATUS_OUT_OF_MEMORY; if it has none
 * even for a small allocation, the process ends. Pointers must not be NULL unless the description allows it;
 * for other NULLs the function returns URIV_STATUS_INVALID_ARGUMENT.
 *
 * Ownership. Memory that you pass stays yours, and the library keeps no pointer to it, except for arrays (see
 * below). Do not free a "const char *" or a "const uriv_validator *" that the library returns: they are
 * constants. Free a scanner with uriv_scanner_free, and a part of URLs with uriv_url_part_free.
 *
 * Threads. Any number of threads may call the functions at the same time. They may share a validator and a
 * part of URLs; only one thread at a time may use a scanner. The library has no global state.
 *
 * Text. A function that makes text writes it with a NUL to your memory, a uriv_text. If the record is
 * invalid, the function returns URIV_STATUS_INVALID, and writes the error unless "error" is NULL.
 *
 * Arrays. A function over arrays takes over a uriv_arrow_in, whether it succeeds or not, and writes its
 * result to a uriv_arrow_out. If it fails, it describes its failure in "failure", unless this pointer is
 * NULL.
 *
 * Stability. Structures, numbers and functions do not change while the library has the same soname. Until
 * 1.0, each minor version has its own soname.
 *
 * This file is generated from the sources in Rust: change the sources.
 */

#ifndef URIVALIDATE_H
#define URIVALIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define URIV_VERSION_MAJOR 0
#define URIV_VERSION_MINOR 1
#define URIV_VERSION_PATCH 0
#define URIV_VERSION "0.1.0"

/* The uriv_bytes of a string literal, without its NUL: uriv_is_valid(validator, URIV_BYTES("http://example.com/")) */
#ifdef __cplusplus
#define URIV_BYTES(literal) (uriv_bytes{"" literal, sizeof(literal) - 1})
#else
#define URIV_BYTES(literal) ((uriv_bytes){"" literal, sizeof(literal) - 1})
#endif

/* https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

#ifdef __cplusplus
extern "C" {
#endif

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#ifdef __cplusplus
}
#endif

#endif /* ARROW_C_DATA_INTERFACE */

/**
 * The number of parts, `URIV_PART_RECORD` included.
 */
#define URIV_PART_COUNT 11

/**
 * An option of a validator: the zone identifiers of RFC 6874 in IPv6 addresses (`[fe80::1%25en0]`), which RFC
 * 9844 made obsolete, are valid, too.
 * The grammars of RFC 3986 support this option.
 */
#define URIV_ZONE_IDS 1

/**
 * The start and the end of an absent part.
 */
#define URIV_ABSENT UINT32_MAX

/**
 * The size of a failure's message in bytes, including its NUL.
 */
#define URIV_MESSAGE_SIZE 488

/**
 * An option of `uriv_arrow_fields`: text consists of views of the array's own memory, which the result keeps
 * alive. Nothing is copied.
 */
#define URIV_VIEWS 1

/**
 * An option of `uriv_arrow_fields`: `host_kind` consists of strings, and is not a dictionary.
 */
#define URIV_STRING_NAMES 2

/**
 * The result of a function: 0 on success, a reason otherwise.
 */
enum uriv_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Success.
     */
    URIV_STATUS_OK = 0,
    /**
     * The record is invalid.
     */
    URIV_STATUS_INVALID = 1,
    /**
     * The result has no value. In other languages it is NULL.
     */
    URIV_STATUS_NONE = 2,
    /**
     * The buffer has no room for the text and a NUL. The function wrote nothing to it.
     */
    URIV_STATUS_BUFFER_TOO_SMALL = 3,
    /**
     * A pointer is NULL or not aligned, a number has no meaning, or a length is larger than any memory can
     * be.
     */
    URIV_STATUS_INVALID_ARGUMENT = 4,
    /**
     * The grammar does not support the option or the form.
     */
    URIV_STATUS_UNSUPPORTED = 5,
    /**
     * The base is invalid.
     */
    URIV_STATUS_INVALID_BASE = 6,
    /**
     * The key of a query is not a regular expression, or uses syntax that only Java has.
     */
    URIV_STATUS_INVALID_KEY = 7,
    /**
     * No field has one of the names, or a name occurs twice.
     */
    URIV_STATUS_INVALID_FIELD = 8,
    /**
     * A record ends at byte 2^32 - 1 of the buffer or beyond, or a result is too long for its type.
     */
    URIV_STATUS_TOO_LONG = 9,
    /**
     * An offset is negative, less than the one before, or beyond the values.
     */
    URIV_STATUS_OFFSETS_OUT_OF_ORDER = 10,
    /**
     * The array holds neither strings nor binary values.
     */
    URIV_STATUS_UNSUPPORTED_TYPE = 11,
    /**
     * The arrays have different lengths, or the structures of an array contradict each other.
     */
    URIV_STATUS_INVALID_ARRAY = 12,
    /**
     * A defect of this library. The process continues. Details are on standard error.
     */
    URIV_STATUS_INTERNAL = 13,
    /**
     * The system has no memory for the result.
     */
    URIV_STATUS_OUT_OF_MEMORY = 14,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum uriv_status uriv_status;
#else
typedef uint32_t uriv_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kind of a host.
 */
enum uriv_host_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * There is no host.
     */
    URIV_HOST_KIND_NONE = 0,
    /**
     * RFC 3986 `reg-name` and RFC 3987 `ireg-name`, possibly empty.
     */
    URIV_HOST_KIND_REG_NAME = 1,
    /**
     * RFC 2396 `hostname`.
     */
    URIV_HOST_KIND_HOSTNAME = 2,
    /**
     * A dotted quad.
     */
    URIV_HOST_KIND_IPV4 = 3,
    /**
     * An IPv6 address in brackets.
     */
    URIV_HOST_KIND_IPV6 = 4,
    /**
     * `[v1.x]`, an address of a future version (RFC 3986 section 3.2.2).
     */
    URIV_HOST_KIND_IPVFUTURE = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum uriv_host_kind uriv_host_kind;
#else
typedef uint32_t uriv_host_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kind of an authority, by RFC 2396 section 3.2. Under the other grammars every authority is a server.
 */
enum uriv_authority_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * There is no authority.
     */
    URIV_AUTHORITY_KIND_NONE = 0,
    /**
     * `[userinfo@]host[:port]`.
     */
    URIV_AUTHORITY_KIND_SERVER = 1,
    /**
     * A name in another registry: it has no userinfo, host or port.
     */
    URIV_AUTHORITY_KIND_REGISTRY = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum uriv_authority_kind uriv_authority_kind;
#else
typedef uint32_t uriv_authority_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The rule that an invalid record breaks. The examples are invalid as `uri` unless they name another
 * grammar.
 */
enum uriv_error_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * None: the record is valid.
     */
    URIV_ERROR_KIND_NONE = 0,
    /**
     * The record is empty, and the grammar has no empty records.
     */
    URIV_ERROR_KIND_EMPTY = 1,
    /**
     * The record has no `:` before the first of `/?#`: `www.example.com/x`.
     */
    URIV_ERROR_KIND_MISSING_SCHEME = 2,
    /**
     * The text before the first `:` is not a scheme: `1http://h/`.
     */
    URIV_ERROR_KIND_INVALID_SCHEME = 3,
    /**
     * A space: `http://h/a b`.
     */
    URIV_ERROR_KIND_SPACE = 4,
    /**
     * A byte below 0x20, or 0x7F: a tab in a path.
     */
    URIV_ERROR_KIND_CONTROL_CHARACTER = 5,
    /**
     * A character that is not ASCII, in a place where the grammar allows only ASCII: `http://h/é`.
     */
    URIV_ERROR_KIND_NON_ASCII = 6,
    /**
     * A character that the grammar does not allow at all, or not in this part: `http://h/{id}`.
     */
    URIV_ERROR_KIND_INVALID_CHARACTER = 7,
    /**
     * `%` without two hexadecimal digits: `http://h/100%`.
     */
    URIV_ERROR_KIND_INVALID_PERCENT_ENCODING = 8,
    /**
     * `[` or `]` that does not enclose a host: `http://h/?x[]=1`.
     */
    URIV_ERROR_KIND_BRACKET_OUTSIDE_HOST = 9,
    /**
     * The brackets hold no IP address: `http://[1::2::3]/`.
     */
    URIV_ERROR_KIND_INVALID_IP_LITERAL = 10,
    /**
     * The port has a byte that is not a digit: `http://h:8o/`.
     */
    URIV_ERROR_KIND_INVALID_PORT = 11,
    /**
     * A second `#`: `http://h/#a#b`.
     */
    URIV_ERROR_KIND_SECOND_FRAGMENT = 12,
    /**
     * A relative reference with a colon in its first segment: `a:b`, as `relative-ref`.
     */
    URIV_ERROR_KIND_COLON_IN_FIRST_SEGMENT = 13,
    /**
     * The authority has a second `@`, has other text after `]`, or is missing where `java` requires one:
     * `http://a@b@c/`.
     */
    URIV_ERROR_KIND_INVALID_AUTHORITY = 14,
    /**
     * Ill-formed UTF-8, under `iri`, `iri-reference` and `java`.
     */
    URIV_ERROR_KIND_INVALID_UTF8 = 15,
    /**
     * Nothing after the scheme's colon, under `rfc2396` and `java`: `mailto:`.
     */
    URIV_ERROR_KIND_EMPTY_SCHEME_SPECIFIC_PART = 16,
    /**
     * More than 2^32 - 2 bytes.
     */
    URIV_ERROR_KIND_RECORD_TOO_LONG = 17,
    /**
     * A kind that was added after this header.
     */
    URIV_ERROR_KIND_OTHER = 255,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum uriv_error_kind uriv_error_kind;
#else
typedef uint32_t uriv_error_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A part of a record. The components of RFC 3986 section 3 and the parts of an authority are 1 to 8.
 */
enum uriv_part
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The record itself.
     */
    URIV_PART_RECORD = 0,
    /**
     * Section 3.1, without its colon.
     */
    URIV_PART_SCHEME = 1,
    /**
     * Section 3.2, without the `//` before it.
     */
    URIV_PART_AUTHORITY = 2,
    /**
     * Section 3.2.1, without its `@`.
     */
    URIV_PART_USERINFO = 3,
    /**
     * Section 3.2.2, with the brackets of an IP literal.
     */
    URIV_PART_HOST = 4,
    /**
     * Section 3.2.3: digits, possibly none, without the colon.
     */
    URIV_PART_PORT = 5,
    /**
     * Section 3.3, possibly empty. Only opaque URIs and some request targets have none.
     */
    URIV_PART_PATH = 6,
    /**
     * Section 3.4, without its `?`.
     */
    URIV_PART_QUERY = 7,
    /**
     * Section 3.5, without its `#`.
     */
    URIV_PART_FRAGMENT = 8,
    /**
     * RFC 2396 section 3: the text between the scheme's colon and the fragment's `#`.
     */
    URIV_PART_SCHEME_SPECIFIC_PART = 9,
    /**
     * The path, and the query with its `?` if there is one.
     */
    URIV_PART_PATH_AND_QUERY = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum uriv_part uriv_part;
#else
typedef uint32_t uriv_part;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The rules for a record.
 */
enum uriv_grammar
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * RFC 3986 `URI`: starts with a scheme.
     */
    URIV_GRAMMAR_URI = 0,
    /**
     * RFC 3986 `URI-reference`: a URI or a relative reference.
     */
    URIV_GRAMMAR_URI_REFERENCE = 1,
    /**
     * RFC 3986 `absolute-URI`: a URI without fragment.
     */
    URIV_GRAMMAR_ABSOLUTE_URI = 2,
    /**
     * RFC 3986 `relative-ref`.
     */
    URIV_GRAMMAR_RELATIVE_REF = 3,
    /**
     * RFC 2396 `URI-reference` as amended by RFC 2732.
     */
    URIV_GRAMMAR_RFC2396 = 4,
    /**
     * The strings that `new java.net.URI(String)` of JDK 17 accepts.
     */
    URIV_GRAMMAR_JAVA = 5,
    /**
     * RFC 3987 `IRI`, over UTF-8.
     */
    URIV_GRAMMAR_IRI = 6,
    /**
     * RFC 3987 `IRI-reference`, over UTF-8.
     */
    URIV_GRAMMAR_IRI_REFERENCE = 7,
    /**
     * RFC 9112 section 3.2 `request-target`.
     */
    URIV_GRAMMAR_REQUEST_TARGET = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum uriv_grammar uriv_grammar;
#else
typedef uint32_t uriv_grammar;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The normalization of a normal form (RFC 3986 section 6.2).
 */
enum uriv_form
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Section 6.2.2: normalizes letter case, escapes and dot segments.
     */
    URIV_FORM_SYNTAX = 0,
    /**
     * Section 6.2.3 in addition: drops empty ports, and normalizes default ports and empty paths of `http`,
     * `https`, `ws`, `wss` and `ftp`.
     */
    URIV_FORM_SCHEME = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum uriv_form uriv_form;
#else
typedef uint32_t uriv_form;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A validator with memory that its scans reuse. One thread at a time may use it.
 */
typedef struct uriv_scanner uriv_scanner;

/**
 * A part of URLs, as Spark's `parse_url` names it. Any number of threads may use the same part at the same
 * time.
 */
typedef struct uriv_url_part uriv_url_part;

/**
 * A grammar with its options. All validators are constants of the library: nobody frees them, and any number
 * of threads may use them.
 */
typedef struct uriv_validator uriv_validator;

/**
 * Bytes that a function reads: a record, a base, a name, a buffer of records. This structure has 2 times
 * `sizeof(size_t)` bytes. Functions take it by value.
 *
 * The bytes stay yours: the function only reads them, and keeps no pointer to them. They may have any
 * values, and need no NUL after them. `URIV_BYTES` makes this structure from a string literal.
 */
typedef struct uriv_bytes {
    /**
     * The first byte. It may be NULL if `length` is 0.
     */
    const char *data;
    /**
     * The number of bytes.
     */
    size_t length;
} uriv_bytes;

/**
 * The place of a part: from byte `start` to byte `end`, which is excluded. Both are `URIV_ABSENT` if the
 * part is absent. They are equal if the part is empty: `http://h/` has no query, `http://h/?` has an empty
 * one.
 */
typedef struct uriv_span {
    /**
     * The first byte, counted from 0.
     */
    uint32_t start;
    /**
     * The byte after the last one.
     */
    uint32_t end;
} uriv_span;

/**
 * The components of a valid record. Places are in bytes from the start of the record. This structure has 100
 * bytes.
 */
typedef struct uriv_components {
    /**
     * RFC 3986 section 3.1, without its colon.
     */
    struct uriv_span scheme;
    /**
     * Section 3.2, without the `//` before it.
     */
    struct uriv_span authority;
    /**
     * Section 3.2.1, without its `@`.
     */
    struct uriv_span userinfo;
    /**
     * Section 3.2.2, with the brackets of an IP literal.
     */
    struct uriv_span host;
    /**
     * Section 3.2.3: digits, possibly none, without the colon.
     */
    struct uriv_span port;
    /**
     * Section 3.3, possibly empty. Only opaque URIs and some request targets have none.
     */
    struct uriv_span path;
    /**
     * Section 3.4, without its `?`.
     */
    struct uriv_span query;
    /**
     * Section 3.5, without its `#`.
     */
    struct uriv_span fragment;
    /**
     * RFC 2396 section 3: the text between the scheme's colon and the fragment's `#`.
     */
    struct uriv_span scheme_specific_part;
    /**
     * The kind of the host.
     */
    uriv_host_kind host_kind;
    /**
     * The kind of the authority.
     */
    uriv_authority_kind authority_kind;
    /**
     * The address of an IPv4 or IPv6 host in network byte order. The bytes after the address are 0.
     */
    uint8_t address[16];
    /**
     * The number of bytes of the address: 4, 16, or 0 if the host is not an address.
     */
    uint8_t address_length;
    /**
     * Whether the record is an opaque URI (RFC 2396 section 3): it has a scheme, and no `/` after the
     * scheme's colon.
     */
    bool is_opaque;
    /**
     * Always 0.
     */
    uint8_t reserved[2];
} uriv_components;

/**
 * The error of an invalid record. This structure has 12 bytes.
 */
typedef struct uriv_error {
    /**
     * The rule that the record breaks.
     */
    uriv_error_kind kind;
    /**
     * The part that the error is in, or `URIV_PART_RECORD` if the error is in no part.
     */
    uriv_part part;
    /**
     * The length in bytes of the longest prefix of the record with which some valid record starts. For
     * `URIV_ERROR_KIND_INVALID_PORT`, the offset of the port's first byte that is not a digit. For
     * `URIV_ERROR_KIND_RECORD_TOO_LONG`, 2^32 - 2.
     */
    uint32_t offset;
} uriv_error;

/**
 * Room for a text that a function makes. This structure has 3 times `sizeof(size_t)` bytes.
 *
 * The memory is yours: you set `data` and `capacity`, which the function only reads, and the function sets
 * `length`. It keeps no pointer to the memory, and you can pass the same structure again. The memory must
 * not overlap with the bytes that the function reads.
 *
 * If the capacity is not greater than the length of the text, the function writes only `length` and returns
 * `URIV_STATUS_BUFFER_TOO_SMALL`: to learn the length, pass zeros. On any other failure `length` is 0, and
 * the memory is unchanged.
 */
typedef struct uriv_text {
    /**
     * The first byte of the memory. After success, the text and a NUL are here. It may be NULL: then no text
     * fits.
     */
    char *data;
    /**
     * The number of bytes of the memory.
     */
    size_t capacity;
    /**
     * The number of bytes of the text without the NUL. The function sets it before it returns, and never
     * reads it.
     */
    size_t length;
} uriv_text;

/**
 * The failure of a function that takes arrays or makes a part of URLs. It has 512 bytes and belongs to the
 * caller. The function writes it only if it fails.
 */
typedef struct uriv_failure {
    /**
     * The status that the function returned.
     */
    uriv_status status;
    /**
     * The kind of the error, if an invalid record is the reason.
     */
    uriv_error_kind kind;
    /**
     * The part that the error is in, if an invalid record is the reason: `URIV_PART_RECORD` if the error is
     * in no part.
     */
    uriv_part part;
    /**
     * The offset of the error in bytes from the start of the record, if an invalid record is the reason.
     */
    uint32_t offset;
    /**
     * The row, counted from 0, if an invalid record or text is the reason. Otherwise -1.
     */
    int64_t row;
    /**
     * A sentence for people, with a NUL at its end. A sentence that is too long is cut and ends with "...".
     */
    char message[URIV_MESSAGE_SIZE];
} uriv_failure;

/**
 * The caller's arrays for the results of a scan. Each array is NULL or has room for `capacity` records;
 * arrays do not overlap. The library keeps no pointer to them.
 */
typedef struct uriv_columns {
    /**
     * The number of records that each array has room for. A scan stops after this number of records.
     */
    size_t capacity;
    /**
     * A byte for each record: 1 if it is valid, 0 if it is invalid or NULL.
     */
    uint8_t *valid;
    /**
     * The values of `valid` as bits: record `i` has bit `i % 8` of byte `i / 8`, as in Arrow. The array has
     * `(capacity + 7) / 8` bytes. The bits after the last record's, in the same byte, are 0.
     */
    uint8_t *valid_bits;
    /**
     * The places of the parts, in bytes from the start of the buffer or the values. The index of a part's
     * array is its number in `uriv_part`. An invalid record has only `URIV_PART_RECORD`, NULL has no part.
     * Each array takes time, so set the arrays that you do not need to NULL.
     */
    struct uriv_span *spans[URIV_PART_COUNT];
    /**
     * A `uriv_error_kind` for each record: 0 if it is valid or NULL.
     */
    uint8_t *error_kinds;
    /**
     * The `uriv_part` that each error is in: 0 if the error is in none, or if the record has no error.
     */
    uint8_t *error_parts;
    /**
     * The offset of each error, in bytes from the start of the record: 0 if the record has no error.
     */
    uint32_t *error_offsets;
} uriv_columns;

/**
 * The counts of a scan. This structure has 5 times `sizeof(size_t)` bytes.
 */
typedef struct uriv_counts {
    /**
     * The number of records that the scan judged. The scan wrote the same number of rows to each column.
     */
    size_t records;
    /**
     * The number of valid records.
     */
    size_t valid;
    /**
     * The number of invalid records.
     */
    size_t invalid;
    /**
     * The number of records that are NULL.
     */
    size_t nulls;
    /**
     * The number of bytes of the buffer that the scan judged, including line ends; 0 for strings with
     * offsets.
     */
    size_t bytes;
} uriv_counts;

/**
 * Strings in the layout of an Arrow array, with offsets of 32 bits: string `i` starts at byte `offsets[i]`
 * of the values and ends before byte `offsets[i + 1]`. This structure has 5 times `sizeof(size_t)` bytes.
 *
 * The memory stays yours: the function only reads it, and keeps no pointer to it.
 */
typedef struct uriv_strings32 {
    /**
     * The number of strings.
     */
    size_t count;
    /**
     * One more number than strings. It may be NULL if `count` is 0.
     */
    const int32_t *offsets;
    /**
     * The bytes of all strings. They may have any values.
     */
    struct uriv_bytes values;
    /**
     * A bit for each string, as in Arrow: bit `i % 8` of byte `i / 8` is 1 if string `i` is not NULL. If the
     * pointer is NULL, no string is NULL.
     */
    const uint8_t *not_null;
} uriv_strings32;

/**
 * Like `uriv_strings32`, with offsets of 64 bits. The offsets must be less than 2^32 - 1, as places of parts
 * have 32 bits.
 */
typedef struct uriv_strings64 {
    /**
     * The number of strings.
     */
    size_t count;
    /**
     * One more number than strings. It may be NULL if `count` is 0.
     */
    const int64_t *offsets;
    /**
     * The bytes of all strings. They may have any values.
     */
    struct uriv_bytes values;
    /**
     * A bit for each string, as in Arrow: bit `i % 8` of byte `i / 8` is 1 if string `i` is not NULL. If the
     * pointer is NULL, no string is NULL.
     */
    const uint8_t *not_null;
} uriv_strings64;

/**
 * An array that a function takes over: structures of Arrow's C data interface. This structure has 2 times
 * `sizeof(void *)` bytes. Functions take it by value.
 *
 * The array has strings or binary values, with offsets of 32 or 64 bits or as views, sliced or not, or is a
 * dictionary of these; strings need not be UTF-8. NULL in, NULL out. The library trusts the layout of
 * arrays, like Arrow's own libraries.
 */
typedef struct uriv_arrow_in {
    /**
     * The schema of the array. It stays yours: the function only reads it, so several arrays can have the
     * same one. It must not be NULL.
     */
    const struct ArrowSchema *schema;
    /**
     * The array. The function takes it over, whether it succeeds or not: it marks your structure as
     * released, and releases the array at the latest with the result, which may share the array's memory. It
     * must not be NULL.
     */
    struct ArrowArray *array;
} uriv_arrow_in;

/**
 * Room for an array that a function makes: structures of Arrow's C data interface. This structure has 2
 * times `sizeof(void *)` bytes. Functions take it by value.
 *
 * If the function succeeds, it writes both structures, and you release them. On failure it writes neither.
 * It releases nothing that the structures held before.
 */
typedef struct uriv_arrow_out {
    /**
     * Room for the schema, or NULL if you know it.
     */
    struct ArrowSchema *schema;
    /**
     * Room for the array. It must not be NULL.
     */
    struct ArrowArray *array;
} uriv_arrow_out;

/**
 * The fields that `uriv_arrow_parse_uri` makes, and their types. This structure has 2 times `sizeof(size_t)`
 * bytes and 8 more. Zeros mean all fields, without options.
 *
 * The names stay yours: the function only reads them, and keeps no pointer to them.
 */
typedef struct uriv_arrow_fields {
    /**
     * The names of the fields, in the order of the result, or NULL for all fields.
     */
    const struct uriv_bytes *names;
    /**
     * The number of names: 0 if `names` is NULL.
     */
    size_t count;
    /**
     * 0, `URIV_VIEWS`, `URIV_STRING_NAMES` or both.
     */
    uint32_t options;
    /**
     * Must be 0.
     */
    uint32_t reserved;
} uriv_arrow_fields;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of this library; `URIV_VERSION` is the version of the header. The string lives as long as the
 * library is loaded.
 */
const char *uriv_version(void);

/**
 * The date (`YYYY-MM-DD`) of the Public Suffix List in this library. The string lives as long as the library
 * is loaded.
 */
const char *uriv_public_suffix_list_date(void);

/**
 * A sentence about a status, for people. The string lives as long as the library is loaded.
 */
const char *uriv_status_message(uint32_t status);

/**
 * The name of a grammar, as in other languages, or NULL if no grammar has this number. The name lives as
 * long as the library is loaded.
 */
const char *uriv_grammar_name(uint32_t grammar);

/**
 * The name of a part, `uri` for the record itself, or NULL if no part has this number. The name lives as
 * long as the library is loaded.
 */
const char *uriv_part_name(uint32_t part);

/**
 * The name of an error's kind, or NULL if no kind has this number. The name lives as long as the library is
 * loaded.
 */
const char *uriv_error_kind_name(uint32_t kind);

/**
 * The name of a host's kind, or NULL if no kind has this number. The name lives as long as the library is
 * loaded.
 */
const char *uriv_host_kind_name(uint32_t kind);

/**
 * The name of an authority's kind, or NULL if no kind has this number. The name lives as long as the library
 * is loaded.
 */
const char *uriv_authority_kind_name(uint32_t kind);

/**
 * Finds a grammar by its name: a name that `uriv_grammar_name` returns, or `rfc3986` or `rfc3987`.
 *
 * If no grammar has this name, returns `URIV_STATUS_NONE` and writes nothing to `grammar`.
 *
 * Requires: `name` has its bytes; `grammar` is NULL or has room for a number.
 */
uriv_status uriv_grammar_by_name(struct uriv_bytes name, uint32_t *grammar);

/**
 * Finds the validator of a grammar with options: 0 or `URIV_ZONE_IDS`. Do not free it.
 *
 * Returns `URIV_STATUS_UNSUPPORTED` if the grammar does not support the options, and
 * `URIV_STATUS_INVALID_ARGUMENT` if the grammar or the option does not exist.
 *
 * Requires: `validator` has room for a pointer.
 */
uriv_status uriv_validator_get(uint32_t grammar, uint32_t options, const struct uriv_validator **validator);

/**
 * Whether a record is valid. This is the fastest function for one record: use it as a filter before slower
 * work.
 *
 * The function judges the record unchanged: it drops no line end, and trims no white space. The record may
 * hold any bytes. The function allocates no memory. It returns false if `validator` is NULL, or if
 * `record.data` is NULL and `record.length` is not 0.
 *
 * Requires: `record` has its bytes.
 */
bool uriv_is_valid(const struct uriv_validator *validator, struct uriv_bytes record);

/**
 * Finds the components of a record, or its error. Allocates no memory.
 *
 * Returns `URIV_STATUS_OK` and writes the components, or returns `URIV_STATUS_INVALID` and writes the error.
 * Either pointer may be NULL.
 *
 * Requires: `record` has its bytes; `components` and `error` are NULL or have room.
 */
uriv_status uriv_parse(const struct uriv_validator *validator,
                       struct uriv_bytes record,
                       struct uriv_components *components,
                       struct uriv_error *error);

/**
 * Writes a sentence about the error of an invalid record, in UTF-8.
 *
 * Returns `URIV_STATUS_NONE` if the record is valid.
 *
 * Requires: `record` has its bytes; `text` follows the notes on `uriv_text`.
 */
uriv_status uriv_error_message(const struct uriv_validator *validator,
                               struct uriv_bytes record,
                               struct uriv_text *text);

/**
 * Mends an invalid record and writes the result, if the record has exactly one obvious correction. The
 * written text is always valid.
 *
 * The function removes white space at both ends, escapes forbidden characters, turns `\` into `/` where
 * browsers read it as `/`, and mends broken escapes. It changes nothing else. Returns `URIV_STATUS_NONE` if
 * the record is valid, has another error, or has more than 64 KiB.
 *
 * Requires: `record` has its bytes; `text` follows the notes on `uriv_text`.
 */
uriv_status uriv_suggest(const struct uriv_validator *validator,
                         struct uriv_bytes record,
                         struct uriv_text *text);

/**
 * Writes the normal form of a record (RFC 3986 section 6.2). Equivalent records have the same normal form.
 * It has at most 2 bytes more than the record.
 *
 * The grammar `java` only supports the form of `java.net.URI.normalize()`. With `URIV_FORM_SCHEME` it
 * returns `URIV_STATUS_UNSUPPORTED`.
 *
 * Requires: `record` has its bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
 */
uriv_status uriv_normalize(const struct uriv_validator *validator,
                           uint32_t form,
                           struct uriv_bytes record,
                           struct uriv_text *text,
                           struct uriv_error *error);

/**
 * Writes the URI of an IRI (RFC 3987 section 3.1), in which bytes that are not ASCII are percent-encoded. It
 * has at most three times as many bytes as the IRI.
 *
 * Requires: `record` has its bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
 */
uriv_status uriv_to_uri(const struct uriv_validator *validator,
                        struct uriv_bytes record,
                        struct uriv_text *text,
                        struct uriv_error *error);

/**
 * Writes the URI that a reference refers to (RFC 3986 section 5). The URI has at most 2 bytes more than the
 * base and the reference together.
 *
 * The validator judges the reference: `uri-reference`, `iri-reference`, `rfc2396` and `java` accept relative
 * ones. Returns `URIV_STATUS_INVALID_BASE` if the base is invalid, and `URIV_STATUS_INVALID` if the
 * reference is invalid or has no meaning with this base. A base has at most 8 KiB without its fragment; a
 * longer one is invalid.
 *
 * Requires: `base` and `reference` have their bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has
 * room.
 */
uriv_status uriv_resolve(const struct uriv_validator *validator,
                         struct uriv_bytes base,
                         struct uriv_bytes reference,
                         struct uriv_text *text,
                         struct uriv_error *error);

/**
 * Writes a reference from a base to a URI. If the URI is in its normal form, `uriv_resolve` writes the URI
 * for this reference. The reference has at most 2 bytes more than the URI.
 *
 * Returns `URIV_STATUS_INVALID_BASE` if the base is invalid, and `URIV_STATUS_INVALID` if the URI is
 * invalid. The grammar `java` writes the references of `java.net.URI.relativize()`, which `uriv_resolve`
 * does not always resolve to the same URI.
 *
 * Requires: `base` and `uri` have their bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
 */
uriv_status uriv_relativize(const struct uriv_validator *validator,
                            struct uriv_bytes base,
                            struct uriv_bytes uri,
                            struct uriv_text *text,
                            struct uriv_error *error);

/**
 * Writes the key of a URI in the indexes of web archives (SURT). The keys are those of Python's `surt`
 * 0.3.1: `com,example)/a?a=1&b=2` for `http://www.Example.com:80/a?b=2&a=1#x`. The URI need not be valid.
 *
 * Returns `URIV_STATUS_NONE` if the URI has no key: its port is not a number up to 65535, or it consists of
 * white space.
 *
 * Requires: `uri` has its bytes; `text` follows the notes on `uriv_text`.
 */
uriv_status uriv_surt(struct uriv_bytes uri, struct uriv_text *text);

/**
 * Writes the public suffix of a record's host, in lower case: `co.uk`. It follows the ICANN section of the
 * Public Suffix List. With `with_private`, it follows both sections (`github.io`).
 *
 * Returns `URIV_STATUS_NONE` if the record has no host, or if its host is an address.
 *
 * Requires: `record` has its bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
 */
uriv_status uriv_suffix(const struct uriv_validator *validator,
                        bool with_private,
                        struct uriv_bytes record,
                        struct uriv_text *text,
                        struct uriv_error *error);

/**
 * Writes the registered domain of a record's host, in lower case: the public suffix with one more label,
 * `bbc.co.uk`.
 *
 * Returns `URIV_STATUS_NONE` if the record has no host, or if its host is an address or a public suffix.
 *
 * Requires: `record` has its bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
 */
uriv_status uriv_domain(const struct uriv_validator *validator,
                        bool with_private,
                        struct uriv_bytes record,
                        struct uriv_text *text,
                        struct uriv_error *error);

/**
 * Makes a part of URLs for Spark's `parse_url(url, part)`, or for `parse_url(url, 'QUERY', key)` if you pass
 * a key. Free it with `uriv_url_part_free`.
 *
 * `part` is `HOST`, `PATH`, `QUERY`, `REF`, `PROTOCOL`, `FILE`, `AUTHORITY` or `USERINFO`, with the meaning
 * of `java.net.URI`; for any other part the status is `URIV_STATUS_INVALID_FIELD`. `key` is a regular
 * expression for the name of a parameter; if it uses syntax that only Java has, or if the part is not
 * `QUERY`, the status is `URIV_STATUS_INVALID_KEY`. If `key.data` is NULL, there is no key.
 *
 * Requires: `part` and `key` have their bytes; `url_part` has room for a pointer; `failure` is NULL or has room.
 */
uriv_status uriv_url_part_new(struct uriv_bytes part,
                              struct uriv_bytes key,
                              struct uriv_url_part **url_part,
                              struct uriv_failure *failure);

/**
 * Frees a part of URLs. NULL does nothing.
 *
 * Requires: `uriv_url_part_new` made the part, it has not been freed, and no thread uses it.
 */
void uriv_url_part_free(struct uriv_url_part *url_part);

/**
 * Writes a part of one URL, as Spark's `parse_url` returns it.
 *
 * Returns `URIV_STATUS_NONE` if Spark's result is NULL, and `URIV_STATUS_INVALID` if Spark fails in ANSI
 * mode. Spark's `try_parse_url` returns NULL in both cases.
 *
 * Requires: `url` has its bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
 */
uriv_status uriv_parse_url(const struct uriv_url_part *url_part,
                           struct uriv_bytes url,
                           struct uriv_text *text,
                           struct uriv_error *error);

/**
 * Makes a scanner. Free it with `uriv_scanner_free`.
 *
 * Requires: `scanner` has room for a pointer.
 */
uriv_status uriv_scanner_new(const struct uriv_validator *validator, struct uriv_scanner **scanner);

/**
 * Frees a scanner. NULL does nothing.
 *
 * Requires: `uriv_scanner_new` made the scanner, it has not been freed, and no thread uses it.
 */
void uriv_scanner_free(struct uriv_scanner *scanner);

/**
 * The number of records in a buffer: the number of LFs, and one more if the last record has no LF. Columns
 * with this capacity are large enough. The number is 0 if `buffer.data` is NULL.
 *
 * Requires: `buffer` has its bytes.
 */
size_t uriv_count_records(struct uriv_bytes buffer);

/**
 * Judges the records of a buffer, and fills the columns. Each line is a record.
 *
 * A record ends at LF. A CR directly before the LF is not part of the record. The last record may lack the
 * LF. An empty line is an empty record. The places of parts are in bytes from the start of the buffer.
 *
 * A scan stops when the columns are full, and before byte 2^32 - 1 of the buffer. It returns
 * `URIV_STATUS_OK`, and `counts->bytes` is the number of bytes that it judged: call the function again with
 * the rest of the buffer until no bytes are left. If the first record has 2^32 - 1 bytes or more, the
 * function returns `URIV_STATUS_TOO_LONG`. If `columns` is NULL, it only counts, and only such a record
 * stops it.
 *
 * Requires: `scanner` has not been freed, and no other thread uses it; `buffer` has its bytes; `columns` is NULL or
 * its arrays have room; `counts` has room.
 */
uriv_status uriv_scan_lines(struct uriv_scanner *scanner,
                            struct uriv_bytes buffer,
                            const struct uriv_columns *columns,
                            struct uriv_counts *counts);

/**
 * Judges strings, and fills the columns.
 *
 * The places of parts are in bytes from the start of the values. The scan stops when the columns are full:
 * `counts->records` is the number of strings that it judged. If `columns` is NULL, the scan only counts.
 *
 * If the function returns `URIV_STATUS_OFFSETS_OUT_OF_ORDER` or `URIV_STATUS_TOO_LONG`, it may have judged
 * strings before the wrong offset.
 *
 * Requires: `scanner` has not been freed, and no other thread uses it; `strings` has its offsets, values and bits;
 * `columns` is NULL or its arrays have room; `counts` has room.
 */
uriv_status uriv_scan_strings32(struct uriv_scanner *scanner,
                                const struct uriv_strings32 *strings,
                                const struct uriv_columns *columns,
                                struct uriv_counts *counts);

/**
 * Like `uriv_scan_strings32`, with offsets of 64 bits.
 *
 * Requires: The same as for `uriv_scan_strings32`.
 */
uriv_status uriv_scan_strings64(struct uriv_scanner *scanner,
                                const struct uriv_strings64 *strings,
                                const struct uriv_columns *columns,
                                struct uriv_counts *counts);

/**
 * Whether a URI is valid. The result consists of booleans.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_is_valid_uri(const struct uriv_validator *validator,
                                    struct uriv_arrow_in array,
                                    struct uriv_arrow_out out,
                                    struct uriv_failure *failure);

/**
 * The verdict on a URI and its components: a struct of valid, scheme, authority, userinfo, host, host_kind,
 * port, path, query and fragment, and of scheme_specific_part, opaque and authority_kind, which only the
 * grammars rfc2396 and java have. The struct has the last three fields only with these grammars, and
 * `fields` can select some of the fields. If `fields` is NULL, the struct has all of them.
 *
 * An absent component is NULL, an empty one `""`. If a string is invalid, all fields except `valid` are
 * NULL.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `fields` is NULL or has its names;
 * `failure` is NULL or has room.
 */
uriv_status uriv_arrow_parse_uri(const struct uriv_validator *validator,
                                 const struct uriv_arrow_fields *fields,
                                 struct uriv_arrow_in array,
                                 struct uriv_arrow_out out,
                                 struct uriv_failure *failure);

/**
 * The verdict on a URI and the places of its components: a struct of valid, scheme_start, scheme_end and so
 * on, which count bytes from the first; an end is the byte after the last one. Starts and ends are 32-bit
 * integers. Both are NULL for an absent component.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_uri_spans(const struct uriv_validator *validator,
                                 struct uriv_arrow_in array,
                                 struct uriv_arrow_out out,
                                 struct uriv_failure *failure);

/**
 * The error of an invalid URI: a struct of kind, component, offset (in bytes) and message; NULL for a valid
 * URI. The offset is a 32-bit integer, all other fields are strings.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_uri_error(const struct uriv_validator *validator,
                                 struct uriv_arrow_in array,
                                 struct uriv_arrow_out out,
                                 struct uriv_failure *failure);

/**
 * A part of a URL, as Spark's function of this name returns it in ANSI mode; an invalid URL is an error. At
 * the first invalid URL, the function returns `URIV_STATUS_INVALID`, and `failure->row` is the row of this
 * URL.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_parse_url(const struct uriv_url_part *url_part,
                                 struct uriv_arrow_in array,
                                 struct uriv_arrow_out out,
                                 struct uriv_failure *failure);

/**
 * A part of a URL, as Spark's function of this name returns it; NULL for an invalid URL.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_try_parse_url(const struct uriv_url_part *url_part,
                                     struct uriv_arrow_in array,
                                     struct uriv_arrow_out out,
                                     struct uriv_failure *failure);

/**
 * One component of each string, as Presto's functions (`url_extract_host` and others) return it: NULL if the
 * string is invalid or NULL, or lacks the component. `component` is `URIV_PART_SCHEME` to
 * `URIV_PART_FRAGMENT`. A port is a 64-bit integer, NULL if it is empty or too large.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_url_extract(const struct uriv_validator *validator,
                                   uint32_t component,
                                   struct uriv_arrow_in array,
                                   struct uriv_arrow_out out,
                                   struct uriv_failure *failure);

/**
 * Whether a list has the host of a URI; false for an invalid URI, and for one without a host. `list` is UTF-8,
 * with a name a line; `.example.com` is this name and all below.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `list` has its bytes; `failure` is
 * NULL or has room.
 */
uriv_status uriv_arrow_host_in(const struct uriv_validator *validator,
                               struct uriv_bytes list,
                               struct uriv_arrow_in array,
                               struct uriv_arrow_out out,
                               struct uriv_failure *failure);

/**
 * The value of the first parameter of a name in the query of a URI, decoded: '' if it has no =; NULL for an
 * invalid URI, and for one without the parameter. `name` is UTF-8.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `name` has its bytes; `failure` is
 * NULL or has room.
 */
uriv_status uriv_arrow_url_extract_parameter(const struct uriv_validator *validator,
                                             struct uriv_bytes name,
                                             struct uriv_arrow_in array,
                                             struct uriv_arrow_out out,
                                             struct uriv_failure *failure);

/**
 * Text as a form sends it: ASCII letters and digits, *, -, . and _ stay, a space becomes +, and any other
 * byte becomes % and two hexadecimal digits.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_url_encode(struct uriv_arrow_in array,
                                  struct uriv_arrow_out out,
                                  struct uriv_failure *failure);

/**
 * The text that url_encode encoded; a % without two hexadecimal digits is an error. Then the status is
 * `URIV_STATUS_INVALID`, and `failure->row` is the row.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_url_decode(struct uriv_arrow_in array,
                                  struct uriv_arrow_out out,
                                  struct uriv_failure *failure);

/**
 * The normal form of a URI (RFC 3986 section 6.2.2; with the form scheme also 6.2.3), which equivalent URIs
 * share; NULL for an invalid URI. If the array has views, the result for a string in normal form is a view
 * of the same memory.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_normalize_uri(const struct uriv_validator *validator,
                                     uint32_t form,
                                     struct uriv_arrow_in array,
                                     struct uriv_arrow_out out,
                                     struct uriv_failure *failure);

/**
 * The URI that a reference refers to (RFC 3986 section 5); NULL if the reference or the base is invalid. All
 * references have the same base. If the base is invalid, the status is `URIV_STATUS_INVALID_BASE`.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `base` has its bytes; `failure` is
 * NULL or has room.
 */
uriv_status uriv_arrow_resolve_uri(const struct uriv_validator *validator,
                                   struct uriv_bytes base,
                                   struct uriv_arrow_in array,
                                   struct uriv_arrow_out out,
                                   struct uriv_failure *failure);

/**
 * Resolves each reference with the base in the same row of another array. Both arrays have the same number
 * of rows.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_resolve_uri_each(const struct uriv_validator *validator,
                                        struct uriv_arrow_in bases,
                                        struct uriv_arrow_in array,
                                        struct uriv_arrow_out out,
                                        struct uriv_failure *failure);

/**
 * A reference from a base to a URI, which resolve_uri turns into the URI again; NULL if the URI or the base
 * is invalid. All URIs have the same base. If the base is invalid, the status is `URIV_STATUS_INVALID_BASE`.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `base` has its bytes; `failure` is
 * NULL or has room.
 */
uriv_status uriv_arrow_relativize_uri(const struct uriv_validator *validator,
                                      struct uriv_bytes base,
                                      struct uriv_arrow_in array,
                                      struct uriv_arrow_out out,
                                      struct uriv_failure *failure);

/**
 * A reference to each URI from the base in the same row of another array. Both arrays have the same number
 * of rows.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_relativize_uri_each(const struct uriv_validator *validator,
                                           struct uriv_arrow_in bases,
                                           struct uriv_arrow_in array,
                                           struct uriv_arrow_out out,
                                           struct uriv_failure *failure);

/**
 * An invalid URI, repaired, if only one repair is likely; NULL for a valid URI, and for one without such a
 * repair.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_suggest_uri(const struct uriv_validator *validator,
                                   struct uriv_arrow_in array,
                                   struct uriv_arrow_out out,
                                   struct uriv_failure *failure);

/**
 * The URI of an IRI: characters beyond ASCII are percent-encoded (RFC 3987 section 3.1); NULL for an invalid
 * IRI.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_to_uri(const struct uriv_validator *validator,
                              struct uriv_arrow_in array,
                              struct uriv_arrow_out out,
                              struct uriv_failure *failure);

/**
 * The host of a URI, unchanged; NULL for an invalid URI, and for one without a host.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_uri_host(const struct uriv_validator *validator,
                                struct uriv_arrow_in array,
                                struct uriv_arrow_out out,
                                struct uriv_failure *failure);

/**
 * The labels of a URI's host in reverse order (com.example.www), in its normal form; NULL if the URI is
 * invalid, or its host is no name.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_uri_host_reversed(const struct uriv_validator *validator,
                                         struct uriv_arrow_in array,
                                         struct uriv_arrow_out out,
                                         struct uriv_failure *failure);

/**
 * The host of a URI in ASCII: a name beyond ASCII in Punycode, by UTS 46 as browsers look it up; NULL if the
 * URI is invalid or has no host, or if UTS 46 forbids the name.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_uri_host_ascii(const struct uriv_validator *validator,
                                      struct uriv_arrow_in array,
                                      struct uriv_arrow_out out,
                                      struct uriv_failure *failure);

/**
 * The names of the parameters in the query of a URI, decoded, in their order; NULL for an invalid URI, and for
 * one without a query.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_url_extract_query_names(const struct uriv_validator *validator,
                                               struct uriv_arrow_in array,
                                               struct uriv_arrow_out out,
                                               struct uriv_failure *failure);

/**
 * The parameters in the query of a URI, decoded: a map from each name to the value of its first parameter;
 * NULL for an invalid URI, and for one without a query.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_url_parameters(const struct uriv_validator *validator,
                                      struct uriv_arrow_in array,
                                      struct uriv_arrow_out out,
                                      struct uriv_failure *failure);

/**
 * The parameters in the query of a URI, decoded: a map from each name to the list of its values; NULL for an
 * invalid URI, and for one without a query.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_url_parameters_all(const struct uriv_validator *validator,
                                          struct uriv_arrow_in array,
                                          struct uriv_arrow_out out,
                                          struct uriv_failure *failure);

/**
 * The key of a URL in the indexes of web archives (SURT), as Python's surt 0.3.1 makes it; NULL for a string
 * without a key. `uriv_surt` writes the same keys.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_uri_surt(struct uriv_arrow_in array,
                                struct uriv_arrow_out out,
                                struct uriv_failure *failure);

/**
 * The public suffix of a URI's host (co.uk), in lower case; NULL if the URI is invalid, lacks a host, or has
 * an IP address.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_uri_suffix(const struct uriv_validator *validator,
                                  bool with_private,
                                  struct uriv_arrow_in array,
                                  struct uriv_arrow_out out,
                                  struct uriv_failure *failure);

/**
 * The registered domain of a URI's host (example.co.uk), in lower case: the public suffix and one more
 * label; NULL if the suffix is NULL, or the host is a suffix itself.
 *
 * Requires: The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
 */
uriv_status uriv_arrow_uri_domain(const struct uriv_validator *validator,
                                  bool with_private,
                                  struct uriv_arrow_in array,
                                  struct uriv_arrow_out out,
                                  struct uriv_failure *failure);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* URIVALIDATE_H */
