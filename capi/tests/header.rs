//! Tests that the committed header is equal to the one that cbindgen generates from the sources, that it has
//! the functions of the catalogue, and that its functions pass the same thing in the same way.

use std::path::Path;

use urivalidate::arrow::catalogue::{FUNCTIONS, ResultType};

#[test]
fn the_header_is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    cbindgen::generate_with_config(folder, config).unwrap().write(&mut made);
    // For Rust, the section has a Markdown heading.
    let made = String::from_utf8(made).unwrap().replace(" # Safety\n *\n * ", " Requires: ");
    let path = folder.join("include/urivalidate.h");
    if std::env::var_os("URIVALIDATE_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(
        made == committed,
        "include/urivalidate.h is not what the sources say: write it with URIVALIDATE_WRITE_HEADER=1 cargo test --test header"
    );
    for (name, value) in [
        ("", concat!("\"", env!("CARGO_PKG_VERSION"), "\"")),
        ("_MAJOR", env!("CARGO_PKG_VERSION_MAJOR")),
        ("_MINOR", env!("CARGO_PKG_VERSION_MINOR")),
        ("_PATCH", env!("CARGO_PKG_VERSION_PATCH")),
    ] {
        let line = format!("#define URIV_VERSION{name} {value}\n");
        assert!(committed.contains(&line), "cbindgen.toml has another version than {}", line.trim());
    }
}

/// Each function of the catalogue is declared, and its comment begins with the catalogue's sentence. For a
/// field of a struct, `uriv_arrow_parse_uri` takes the names of fields; the functions of Presto for one
/// component are one function, which takes the number of the component.
#[test]
fn the_functions_are_those_of_the_catalogue() {
    let header = include_str!("../include/urivalidate.h");
    for function in FUNCTIONS.iter().filter(|function| function.result() != ResultType::Field) {
        let name = function.name();
        let is_component = name.starts_with("url_extract_")
            && !matches!(name, "url_extract_parameter" | "url_extract_query_names");
        let declared = if is_component { "url_extract" } else { name };
        let declaration = format!("uriv_status uriv_arrow_{declared}(");
        let (before, _) =
            header.split_once(&declaration).unwrap_or_else(|| panic!("the header lacks {declared}"));
        let (_, comment) = before.rsplit_once("/**\n").unwrap();
        let lines = comment.lines().filter_map(|line| line.strip_prefix(" * "));
        let comment = lines.collect::<Vec<_>>().join(" ");
        assert!(is_component || comment.starts_with(function.sentence()), "{name}: {comment}");
    }
}

/// Functions have at most five parameters. Texts, arrays and their lengths are in structures.
#[test]
fn parameters_follow_the_rule() {
    let header = include_str!("../include/urivalidate.h");
    let (_, declarations) = header.split_once("extern \"C\" {\n#endif // __cplusplus").unwrap();
    let mut functions = 0;
    for declaration in declarations.split(';').filter_map(|text| text.rsplit_once("*/").map(|(_, code)| code))
    {
        let Some((name, parameters)) = declaration.split_once('(') else { continue };
        let parameters = parameters.trim_end_matches(')').split(',').map(str::trim).collect::<Vec<_>>();
        assert!(parameters.len() <= 5, "{name}: {} parameters", parameters.len());
        for parameter in parameters {
            let is_loose = ["char *", "size_t", "int32_t *offsets", "ArrowArray *", "ArrowSchema *"]
                .iter()
                .any(|part| parameter.contains(part));
            assert!(!is_loose, "{name}: \"{parameter}\" belongs into a structure");
        }
        functions += 1;
    }
    assert_eq!(functions, include_str!("symbols.txt").lines().count());
}
