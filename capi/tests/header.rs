//! Tests that the committed header is equal to the one that cbindgen generates from the sources.

use std::path::Path;

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
