//! Messages and mailboxes.

use super::*;

/// Line, column and URI of each record.
fn uris(message: impl AsRef<[u8]>) -> Vec<(u64, u64, String)> {
    let found = case(Format::Mail).run(message);
    assert_eq!(reasons(&found), []);
    found.records
}

/// The URIs of a message without a header that matters.
fn of_body(header: &str, body: &str) -> Vec<String> {
    uris(format!("From: a@example.org\n{header}\n{body}")).into_iter().map(|(.., uri)| uri).collect()
}

#[test]
fn a_message_has_uris_in_its_header_and_its_texts() {
    let letter = include_bytes!("../../../../corpora/logs/letter.eml");
    let found = case(Format::Mail).detected(letter).run(letter);
    let host = "https://www.example.org";
    let expected = [
        (6, 24, format!("{host}/?a=b=c")),
        (9, 20, "https://lists.example.org/unsubscribe?id=0123456789".to_owned()),
        (10, 16, "mailto:leave@lists.example.org?subject=a b".to_owned()),
        (11, 16, "https://lists.example.org/archive/{month}".to_owned()),
        (12, 15, "https://lists.example.org/archive/1".to_owned()),
        (24, 25, format!("{host}/verify?uid=5dd50bc5d3b1f&t=98e1ee0c&next=/home")),
        (26, 13, format!("{host}/a b c")),
        (27, 25, format!("{host}/1")),
        (27, 52, format!("{host}/23")),
        (33, 19, format!("{host}/verify?uid=5dd50bc5d3b1f&t=98e1ee0c")),
        (34, 36, "cid:logo@example.org".to_owned()),
        (35, 12, "/x y".to_owned()),
        (35, 42, format!("{host}/{{}}")),
        (42, 13, format!("{host}/base64/only")),
        (42, 69, format!("{host}/not a uri")),
        (46, 19, format!("{host}/a page.html")),
        (48, 10, format!("{host}/plain?a&b")),
        (48, 68, format!("{host}/pl ain")),
        (61, 5, format!("{host}/calendar/an-event-with-a-long-name-that-is-folded")),
    ];
    assert_eq!(found.records, expected);
    assert_eq!((found.count, reasons(&found)), (63, vec![]));
    // In a text that is spelled otherwise, an error has the place of its URI.
    assert_eq!(
        found.errors,
        [(10, 56), (11, 50), (26, 13), (35, 14), (35, 42), (42, 69), (46, 44), (48, 94)]
    );
}

#[test]
fn a_mailbox_has_messages() {
    let mailbox = include_bytes!("../../../../corpora/logs/inbox.mbox");
    let found = case(Format::Mail).detected(mailbox).run(mailbox);
    let paths: Vec<_> =
        found.records.iter().map(|(line, _, uri)| (*line, uri.rsplit_once("org/").unwrap().1)).collect();
    let expected = [
        (7, "1"),
        (8, "2"),
        (9, "3"),
        (17, "flowed/path/that/goes/on"),
        (20, "signature"),
        (29, "only_one"),
        (30, "b c"),
    ];
    assert_eq!((paths, found.count), (expected.to_vec(), 30));

    // A message over the limit is skipped, wherever chunks end.
    let limited = Case { max_record: 64, ..case(Format::Mail) };
    let long = "From a\nSubject: long\n\n".to_owned() + &"https://a.example/ \n".repeat(4000) + "\n";
    let short = "From a\nSubject: https://b.example/\n\nhttps://c.example/\n\n";
    for (mailbox, expected) in [
        (format!("{long}{short}"), 2),
        (format!("{short}{long}{short}"), 4),
        (format!("{short}{}", long.replace('\n', "\r\n")), 2),
        (format!("{long}{}", short.replace('\n', "\r\n")), 2),
        (long.clone(), 0),
    ] {
        let found = limited.run(&mailbox);
        let too_long = 1 + short.lines().count() as u64 * u64::from(mailbox.starts_with(short));
        assert_eq!((found.records.len(), reasons(&found)), (expected, vec![(too_long, Malformed::TooLong)]));
    }
    // A message that is not in a mailbox has no others after it.
    let found =
        case(Format::Mail).run("Subject: a\n\nFrom b\n\nFrom c\nSubject: https://a.example/\n\nFrom d");
    assert_eq!(found.records, [(6, 10, "https://a.example/".to_owned())]);
}

#[test]
fn transfer_encodings_are_undone() {
    let quoted = "Content-Transfer-Encoding: Quoted-Printable\n";
    for (body, uri) in [
        ("https://a.example/?a=3Db=26c", "https://a.example/?a=b&c"),
        ("https://a.example/=\nb=\r\nc= \t\nd=", "https://a.example/bcd"),
        // What is no escape stands for itself.
        ("https://a.example/?a=b=zz=4", "https://a.example/?a=b=zz=4"),
        ("<https://a.example/=3d=3D=20>", "https://a.example/=="),
        ("<https://a.example/=3d=3D=20b>", "https://a.example/== b"),
    ] {
        assert_eq!(of_body(quoted, body), [uri], "{body}");
    }
    let base64 = "content-transfer-encoding:\n BASE64\n";
    for (body, uri) in [
        ("aHR0cHM6Ly9hLmV4YW1wbGUv", "https://a.example/"),
        ("aHR0cH\nM6Ly9hL\r\nmV4YW1wbGUvYg==", "https://a.example/b"),
        ("!aHR0cHM6Ly9hLmV4YW1wbGUvYmM=\n", "https://a.example/bc"),
        ("aHR0cHM6Ly9hLmV4YW1wbGUvYmM", "https://a.example/bc"),
        ("aHR0cHM6Ly9hLmV4YW1wbGUvYg==aHQ=", "https://a.example/bht"),
    ] {
        assert_eq!(of_body(base64, body), [uri], "{body}");
    }
    let utf16 = "Content-Type: text/plain; charset=\"UTF-16LE\"\nContent-Transfer-Encoding: base64\n";
    assert_eq!(of_body(utf16, "aAB0AHQAcAA6AC8ALwBhAC4AZQB4AGEAbQBwAGwAZQAvAA=="), ["http://a.example/"]);
    for (charset, bytes, uri) in [
        ("iso-8859-1", "=E9=80", "http://a.example/é€"),
        ("Windows-1252", "=FF=93", "http://a.example/ÿ“"),
        ("utf-8", "=C3=A9", "http://a.example/é"),
    ] {
        let header = format!("{quoted}Content-Type: text/plain; charset={charset}\n");
        let uris = of_body(&header, &format!("<http://a.example/{bytes}>"));
        assert_eq!(uris, [uri.as_bytes().escape_ascii().to_string()], "{charset}");
        // A part that needs no decoding has its own bytes.
        let unencoded =
            format!("From: a@b\nContent-Type: text/html; charset={charset}\n\n<a href='a b'>é</a>");
        let found = case(Format::Mail).run(&unencoded);
        assert_eq!((found.records, found.errors), (vec![(4, 10, "a b".to_owned())], vec![(4, 11)]));
    }
    // A place in base64 is that of the four characters with the first byte.
    let places = uris(format!("{base64}\neCB4IGh0\ndHBzOi8v\nYS5leGFt\ncGxlLw==\n"));
    assert_eq!(places, [(4, 5, "https://a.example/".to_owned())]);
}

#[test]
fn parts_are_between_boundaries() {
    let multipart = "Content-Type: multipart/mixed; boundary=b\n";
    for (body, uris) in [
        (
            "http://no.example/\n--b\n\nhttp://a.example/\n--b--\nhttp://no.example/",
            &["http://a.example/"][..],
        ),
        (
            "--b\r\n\r\nhttp://a.example/\r\n--b \t\r\n\r\nhttp://b.example/",
            &["http://a.example/", "http://b.example/"],
        ),
        // Without a boundary, all is one text.
        ("http://a.example/\n--c\nhttp://b.example/", &["http://a.example/", "http://b.example/"]),
        // Not a boundary.
        (
            "--b\n\nhttp://a.example/\n--bc\nhttp://b.example/\n --b",
            &["http://a.example/", "http://b.example/"],
        ),
        // The outer boundary ends the inner multipart.
        (
            "--b\nContent-Type: multipart/mixed; boundary=\"c\"\n\n--c\n\nhttp://a.example/\n--b\n\nhttp://b.example/\n--c\nhttp://c.example/",
            &["http://a.example/", "http://b.example/", "http://c.example/"],
        ),
        (
            "--b\nContent-Type: multipart/mixed; boundary=c\n\nhttp://a.example/\n--b\nContent-Type: text/css\n\nhttp://b.example/\n",
            &["http://a.example/", "http://b.example/"],
        ),
        (
            "--b\nContent-Type: image/png\n\nhttp://a.example/\n--b\nContent-Type: TEXT/HTML\n\n<a href=b&amp;c>http://d.example/",
            &["b&c"],
        ),
        (
            "--b\nContent-Type: multipart/digest; boundary=c\n\n--c\n\nSubject: http://a.example/\n\nhttp://b.example/\n--c--\n--b--",
            &["http://a.example/", "http://b.example/"],
        ),
        ("--b\nhttp://a.example/ is no field\n--b--", &["http://a.example/"]),
    ] {
        assert_eq!(of_body(multipart, body), uris, "{body}");
    }
    // More multiparts inside of each other than count.
    let deep: String = (0..100)
        .map(|depth| format!("Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n"))
        .collect();
    assert_eq!(of_body(&deep, "http://a.example/"), ["http://a.example/"]);
}

#[test]
fn fields_may_be_folded_and_encoded() {
    for (field, uris) in [
        ("X-Url: http://a.example/b", &["http://a.example/b"][..]),
        ("X-Url: <http://a.example/b\n c>", &["http://a.example/b c"]),
        (
            "List-Help: <http://a.example/b\r\n\t c>, <http://a.example/d e> (http://a.example/f)",
            &["http://a.example/bc", "http://a.example/d e", "http://a.example/f"],
        ),
        ("ARCHIVED-AT:\n <http://a.example/\n b>", &["http://a.example/b"]),
        ("Content-Location: http://a.example/b c", &["http://a.example/b c"]),
        ("Content-Location: b c", &[]),
        ("Subject: =?utf-8?q?http:=2F=2Fa.example/b=5Fc=3F?=", &["http://a.example/b_c"]),
        ("Subject: =?utf-8?Q?http://a.?=\n =?ISO-8859-1?B?ZXhhbXBsZS8=?=", &["http://a.example/"]),
        (
            "Subject: =?utf-8?Q?see_http://a.example/?= =b http://b.example/?=",
            &["http://a.example/", "http://b.example/?="],
        ),
        ("Subject: =?x?= =??Q?a?= =?x?z?http://a.example/?=", &["http://a.example/?="]),
    ] {
        assert_eq!(of_body(&format!("{field}\n"), ""), uris, "{field}");
    }
}

#[test]
fn only_messages_are_mail() {
    for (text, is_mail) in [
        ("From: a@b\nDate: x\n\n", true),
        ("From a@b Thu Nov 26 12:00:00 2026\nReceived: x\n\ty\nSubject:\n\nz", true),
        ("Return-Path: <>\nMIME-Version: 1.0\n", true),
        ("From: a\nTo: b\n\n", false),
        ("From: a\nnot a field\nSubject: b\n\n", false),
        ("Host: a.example\nUser-Agent: x\nDate: y\n\n", false),
        ("From a to b\nhttp://a.example/\n", false),
        (" From: a\nSubject: b\n", false),
        ("\nFrom: a\nSubject: b\n", false),
    ] {
        assert_eq!(Format::detect(text.as_bytes()) == Format::Mail, is_mail, "{text}");
    }
}
