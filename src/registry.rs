//! The registered URI schemes.
//!
//! IANA keeps [the registry](https://www.iana.org/assignments/uri-schemes) (RFC 7595). Permanent, provisional
//! and historical schemes are all registered. Schemes that were registered after the date of this copy count as
//! unregistered. `scripts/renew-lists` writes the list anew.

/// The date of the registry of URI schemes whose copy is compiled in, `YYYY-MM-DD`.
pub const REGISTERED_SCHEMES_DATE: &str = "2026-09-22";

/// Returns true if a scheme is registered, in any letter case.
pub(crate) fn is_registered(scheme: &[u8]) -> bool {
    let compare = |known: &&str| {
        let lower = scheme.iter().map(u8::to_ascii_lowercase);
        known.bytes().cmp(lower)
    };
    REGISTERED.binary_search_by(compare).is_ok()
}

/// The registered schemes in lower case, sorted.
#[rustfmt::skip]
const REGISTERED: &[&str] = &[
    "aaa", "aaas", "about", "acap", "acct", "acd", "ace", "acr", "adiumxtra", "adt", "aet", "afp", "afs", "agtp", "aim", "amss",
    "android", "appdata", "apt", "ar", "ari", "ark", "ars", "at", "attachment", "aw", "barion", "bb", "beshare", "bitcoin",
    "bitcoincash", "bl", "blob", "bluetooth", "bolo", "brid", "browserext", "cabal", "caip", "calculator", "callto", "cap",
    "cast", "casts", "chrome", "chrome-extension", "cid", "cm", "coap", "coap+tcp", "coap+ws", "coaps", "coaps+tcp", "coaps+ws",
    "com-eventbrite-attendee", "content", "content-type", "crid", "cstr", "cttps", "cvs", "dab", "dat", "data", "dav", "dhttp",
    "diaspora", "dict", "did", "dilithium3", "dis", "dlna-playcontainer", "dlna-playsingle", "dnp", "dns", "dntp", "doi",
    "donau", "dpp", "drm", "drop", "dtmi", "dtn", "dvb", "dvx", "dweb", "ed2k", "eid", "elsi", "embedded", "ens", "esim",
    "ethereum", "example", "ez", "facetime", "fax", "feed", "feedready", "fido", "file", "filesystem", "finger",
    "first-run-pen-experience", "fish", "fm", "ftp", "fuchsia-pkg", "gcx", "gdsi", "geo", "gg", "git", "gitoid", "gizmoproject",
    "go", "gopher", "graph", "grd", "gtalk", "h323", "ham", "hcap", "hcp", "hs20", "http", "https", "hxxp", "hxxps",
    "hydrazone", "hyper", "i0", "iax", "ibi", "ibi-", "icap", "icon", "ilstring", "im", "imap", "info", "interaction",
    "iotdisco", "ipfs", "ipn", "ipns", "ipp", "ipps", "irc", "irc6", "ircs", "iris", "iris.beep", "iris.lwz", "iris.xpc",
    "iris.xpcs", "isostore", "itms", "jabber", "jar", "jms", "keyparc", "lastfm", "lbry", "ldap", "ldaps", "leaptofrogans",
    "lid", "linkid", "lorawan", "lpa", "lvlt", "machineprovisioningprogressreporter", "magnet", "mailserver", "mailto", "maps",
    "market", "matrix", "mdoc", "mdoc-openid4vp", "message", "microsoft.windows.camera", "microsoft.windows.camera.multipicker",
    "microsoft.windows.camera.picker", "mid", "mms", "modem", "mongodb", "moz", "mqtt", "mqtts", "ms-access", "ms-appinstaller",
    "ms-browser-extension", "ms-calculator", "ms-drive-to", "ms-enrollment", "ms-excel", "ms-eyecontrolspeech",
    "ms-gamebarservices", "ms-gamingoverlay", "ms-getoffice", "ms-help", "ms-infopath", "ms-inputapp", "ms-launchremotedesktop",
    "ms-lockscreencomponent-config", "ms-media-stream-id", "ms-meetnow", "ms-mixedrealitycapture", "ms-mobileplans",
    "ms-newsandinterests", "ms-officeapp", "ms-people", "ms-personacard", "ms-powerpoint", "ms-project", "ms-publisher",
    "ms-recall", "ms-remotedesktop", "ms-remotedesktop-launch", "ms-restoretabcompanion", "ms-screenclip", "ms-screensketch",
    "ms-search", "ms-search-repair", "ms-secondary-screen-controller", "ms-secondary-screen-setup", "ms-settings",
    "ms-settings-airplanemode", "ms-settings-bluetooth", "ms-settings-camera", "ms-settings-cellular",
    "ms-settings-cloudstorage", "ms-settings-connectabledevices", "ms-settings-displays-topology",
    "ms-settings-emailandaccounts", "ms-settings-language", "ms-settings-location", "ms-settings-lock",
    "ms-settings-nfctransactions", "ms-settings-notifications", "ms-settings-power", "ms-settings-privacy",
    "ms-settings-proximity", "ms-settings-screenrotation", "ms-settings-wifi", "ms-settings-workplace", "ms-spd", "ms-stickers",
    "ms-sttoverlay", "ms-transit-to", "ms-useractivityset", "ms-uup", "ms-virtualtouchpad", "ms-visio", "ms-walk-to",
    "ms-whiteboard", "ms-whiteboard-cmd", "ms-widgetboard", "ms-widgets", "ms-word", "msnim", "msrp", "msrps", "mss", "mt",
    "mtqp", "mtrust", "mumble", "mupdate", "musik", "mvn", "mvrp", "mvrps", "news", "nfs", "ni", "nih", "nntp", "nostr",
    "notes", "npamp", "num", "ocf", "oid", "onenote", "onenote-cmd", "opaquelocktoken", "openid", "openpgp4fpr", "otpauth",
    "p1", "pack", "palm", "paparazzi", "payment", "payto", "pkcs11", "pkg", "platform", "pop", "pres", "prospero", "proxy",
    "psyc", "pttp", "pwid", "qb", "query", "quic-transport", "redis", "rediss", "reload", "res", "resource", "rmi", "rsync",
    "rtmfp", "rtmp", "rtsp", "rtsps", "rtspu", "rttp", "sarif", "secondlife", "secret-token", "seki", "service", "session",
    "sftp", "sgn", "shc", "shelter", "shttp", "sieve", "simpleledger", "simplex", "sip", "sips", "skype", "smb", "smp", "sms",
    "smtp", "snews", "snmp", "soap.beep", "soap.beeps", "soldat", "spacify", "spiffe", "spotify", "ssb", "ssh", "sss",
    "starknet", "steam", "stun", "stuns", "submit", "svn", "swh", "swid", "swidpath", "tag", "taler", "teamspeak", "teapot",
    "teapots", "tel", "teliaeid", "telnet", "tftp", "things", "thismessage", "thzp", "tii", "tip", "tn3270", "tool", "tttps",
    "turn", "turns", "tv", "udp", "unreal", "upn", "upt", "urn", "ust", "ut2004", "uuaid", "uuid-in-package", "v-event",
    "vemmi", "ventrilo", "ves", "videotex", "view-source", "vnc", "vscode", "vscode-insiders", "vsls", "w3", "wais", "wasm",
    "wasm-js", "wcr", "web+ap", "web+interaction", "web3", "webcal", "wifi", "wpid", "ws", "wss", "wtai", "wyciwyg", "xcompute",
    "xcon", "xcon-userid", "xfire", "xftp", "xmlrpc.beep", "xmlrpc.beeps", "xmpp", "xrcp", "xri", "ymsgr", "z39.50", "z39.50r",
    "z39.50s", "ztdnaid",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_in_lower_case() {
        assert!(REGISTERED.is_sorted_by(|a, b| a < b));
        assert!(REGISTERED.iter().all(|name| !name.bytes().any(|byte| byte.is_ascii_uppercase())));
    }

    #[test]
    fn schemes_are_found_in_any_case() {
        for scheme in ["http", "HTTPS", "z39.50s", "aaa", "Coap+TCP", "view-source"] {
            assert!(is_registered(scheme.as_bytes()), "{scheme}");
        }
        for scheme in ["", "hhttps", "ttps", "htps", "httpss", "zz", "a"] {
            assert!(!is_registered(scheme.as_bytes()), "{scheme}");
        }
    }
}
