// Tests the header in C++: its types, and some functions of every kind.
#include <urivalidate.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

static_assert(sizeof(uriv_span) == 8 && sizeof(uriv_error) == 12 && sizeof(uriv_components) == 100 && sizeof(uriv_failure) == 512);
static_assert(sizeof(uriv_bytes) == 2 * sizeof(void *) && sizeof(uriv_text) == 3 * sizeof(void *));
static_assert(sizeof(uriv_arrow_in) == 2 * sizeof(void *) && sizeof(uriv_arrow_out) == 2 * sizeof(void *));
static_assert(std::is_same_v<std::underlying_type_t<uriv_status>, std::uint32_t>);
static_assert(std::is_trivially_copyable_v<uriv_components> && std::is_trivially_copyable_v<uriv_bytes> && std::is_standard_layout_v<uriv_columns>);

namespace {

void check(bool condition, const char *what) {
    if (!condition) {
        std::cerr << "not so: " << what << '\n';
        std::exit(1);
    }
}

uriv_bytes bytes(std::string_view text) {
    return {text.data(), text.size()};
}

using Scanner = std::unique_ptr<uriv_scanner, decltype(&uriv_scanner_free)>;

std::string normal(const uriv_validator *validator, std::string_view record) {
    std::string memory(record.size() + 3, '\0');
    uriv_text text{memory.data(), memory.size(), 0};
    const uriv_status status = uriv_normalize(validator, URIV_FORM_SCHEME, bytes(record), &text, nullptr);
    check(status == URIV_STATUS_OK, uriv_status_message(status));
    memory.resize(text.length);
    return memory;
}

} // namespace

int main() {
    const uriv_validator *validator = nullptr;
    check(uriv_validator_get(URIV_GRAMMAR_URI, 0, &validator) == URIV_STATUS_OK, "a validator");
    check(normal(validator, "HTTP://h:80") == "http://h/", "a normal form");
    check(uriv_is_valid(validator, URIV_BYTES("http://h/")) && !uriv_is_valid(validator, URIV_BYTES("http://h/\0")), "verdicts on literals");

    uriv_components components{};
    const std::string_view record = "http://example.com/";
    check(uriv_parse(validator, bytes(record), &components, nullptr) == URIV_STATUS_OK, "components");
    check(record.substr(components.host.start, components.host.end - components.host.start) == "example.com", "the host");

    uriv_scanner *made = nullptr;
    check(uriv_scanner_new(validator, &made) == URIV_STATUS_OK, "a scanner");
    const Scanner scanner(made, &uriv_scanner_free);
    const std::string_view buffer = "http://a/\nb\nhttp://ccc/";
    std::vector<uriv_span> hosts(uriv_count_records(bytes(buffer)));
    uriv_columns columns{};
    columns.capacity = hosts.size();
    columns.spans[URIV_PART_HOST] = hosts.data();
    uriv_counts counts{};
    check(uriv_scan_lines(scanner.get(), bytes(buffer), &columns, &counts) == URIV_STATUS_OK, "a scan");
    check(counts.records == 3 && counts.valid == 2 && hosts[2].end - hosts[2].start == 3, "its columns");

    uriv_failure failure{};
    uriv_url_part *part = nullptr;
    check(uriv_url_part_new(URIV_BYTES("QUERY"), URIV_BYTES("("), &part, &failure) == URIV_STATUS_INVALID_KEY, "a wrong key");
    check(std::string(failure.message).find("the key") == 0, failure.message);
    std::cout << "plusplus: passed\n";
}
