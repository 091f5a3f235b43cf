#!/usr/bin/env python3
"""Grammar oracles for URI / IRI syntax, written from the RFC ABNF only.

Every grammar is a Python bytes regular expression assembled rule by rule, one
Python name per RFC rule, and always used with fullmatch().  Nothing in here is
hand-parsed: verdicts AND component offsets come from the regex match.

  rfc3986  URI, URI-reference, absolute-URI, relative-ref
  rfc2396  URI-reference, absoluteURI, relativeURI, absoluteURI-fragment
           (RFC 2396 as amended by RFC 2732; README.md lists the decisions)
  rfc3987  IRI, IRI-reference, absolute-IRI, irelative-ref (UTF-8 bytes)
  java     model of what java.net.URI(String) accepts, ASCII input only

API:  parse(grammar, data) -> dict | None
      grammar is e.g. "rfc3986:URI-reference"; data is bytes.
      The dict maps component name -> (start, end) byte offsets (end exclusive)
      or None where the component is absent, plus string flags.
"""
import re
import sys

# --------------------------------------------------------------------------
# tiny combinators (all return bytes regex source, already grouped)


def seq(*a):
    return b"".join(a)


def alt(*a):
    return b"(?:" + b"|".join(a) + b")"


def opt(x):
    return b"(?:" + x + b")?"


def star(x):
    return b"(?:" + x + b")*"


def plus(x):
    return b"(?:" + x + b")+"


def rep(lo, hi, x):
    """lo*hi element; hi None = unbounded"""
    return b"(?:" + x + b"){%d,%s}" % (lo, b"" if hi is None else b"%d" % hi)


def lit(s):
    return re.escape(s)


def chars(s):
    """alternation of single characters, as a class"""
    return b"[" + b"".join(b"\\x%02x" % c for c in s) + b"]"


def cap(name, x):
    return b"(?P<" + name.encode() + b">" + x + b")"


# --------------------------------------------------------------------------
# RFC 5234 core (ABNF literal strings and HEXDIG are case-insensitive)
ALPHA = b"[A-Za-z]"
DIGIT = b"[0-9]"
HEXDIG = b"[0-9A-Fa-f]"


class _3986ish:
    """Rules of RFC 3986 appendix A.  `ucs`/`priv` widen it to RFC 3987."""

    def __init__(self, ucs=None, priv=None):
        self.pct_encoded = seq(lit(b"%"), HEXDIG, HEXDIG)
        self.sub_delims = chars(b"!$&'()*+,;=")
        self.unreserved = alt(ALPHA, DIGIT, chars(b"-._~"))
        # iunreserved = ALPHA / DIGIT / "-" / "." / "_" / "~" / ucschar
        self.iunreserved = alt(self.unreserved, ucs) if ucs else self.unreserved
        U = self.iunreserved
        self.pchar = alt(U, self.pct_encoded, self.sub_delims, lit(b":"), lit(b"@"))
        self.fragment = star(alt(self.pchar, lit(b"/"), lit(b"?")))
        if priv:
            self.query = star(alt(self.pchar, priv, lit(b"/"), lit(b"?")))
        else:
            self.query = star(alt(self.pchar, lit(b"/"), lit(b"?")))
        self.segment = star(self.pchar)
        self.segment_nz = plus(self.pchar)
        self.segment_nz_nc = plus(alt(U, self.pct_encoded, self.sub_delims, lit(b"@")))
        self.path_abempty = star(seq(lit(b"/"), self.segment))
        self.path_absolute = seq(lit(b"/"), opt(seq(self.segment_nz, star(seq(lit(b"/"), self.segment)))))
        self.path_noscheme = seq(self.segment_nz_nc, star(seq(lit(b"/"), self.segment)))
        self.path_rootless = seq(self.segment_nz, star(seq(lit(b"/"), self.segment)))
        self.path_empty = b""
        self.reg_name = star(alt(U, self.pct_encoded, self.sub_delims))
        self.dec_octet = alt(seq(lit(b"25"), b"[0-5]"), seq(lit(b"2"), b"[0-4]", DIGIT),
                             seq(lit(b"1"), DIGIT, DIGIT), seq(b"[1-9]", DIGIT), DIGIT)
        d = self.dec_octet
        self.IPv4address = seq(d, lit(b"."), d, lit(b"."), d, lit(b"."), d)
        self.h16 = rep(1, 4, HEXDIG)
        h, c = self.h16, lit(b":")
        hc = seq(h, c)
        self.ls32 = alt(seq(h, c, h), self.IPv4address)
        ls, dc = self.ls32, lit(b"::")

        def left(n):               # [ *n( h16 ":" ) h16 ]
            return opt(seq(rep(0, n, hc), h))
        self.IPv6address = alt(
            seq(rep(6, 6, hc), ls),
            seq(dc, rep(5, 5, hc), ls),
            seq(opt(h), dc, rep(4, 4, hc), ls),
            seq(left(1), dc, rep(3, 3, hc), ls),
            seq(left(2), dc, rep(2, 2, hc), ls),
            seq(left(3), dc, h, c, ls),
            seq(left(4), dc, ls),
            seq(left(5), dc, h),
            seq(left(6), dc))
        # unreserved here is the URI one, also in RFC 3987
        self.IPvFuture = seq(b"[vV]", plus(HEXDIG), lit(b"."),
                             plus(alt(self.unreserved, self.sub_delims, lit(b":"))))
        self.IP_literal = seq(lit(b"["), alt(cap("v6", self.IPv6address), cap("vf", self.IPvFuture)), lit(b"]"))
        self.port = star(DIGIT)
        # host = IP-literal / IPv4address / reg-name   (first match wins)
        self.host = alt(self.IP_literal, cap("v4", self.IPv4address), cap("rn", self.reg_name))
        self.userinfo = star(alt(U, self.pct_encoded, self.sub_delims, lit(b":")))
        self.authority = seq(opt(seq(cap("userinfo", self.userinfo), lit(b"@"))),
                             cap("host", self.host),
                             opt(seq(lit(b":"), cap("port", self.port))))
        self.scheme = seq(ALPHA, star(alt(ALPHA, DIGIT, chars(b"+-."))))
        net = seq(lit(b"//"), cap("authority", self.authority), cap("p0", self.path_abempty))
        self.relative_part = alt(net, cap("p1", self.path_absolute),
                                 cap("p2", self.path_noscheme), cap("p3", self.path_empty))
        self.hier_part = alt(net, cap("p1", self.path_absolute),
                             cap("p2", self.path_rootless), cap("p3", self.path_empty))
        q = opt(seq(lit(b"?"), cap("query", self.query)))
        f = opt(seq(lit(b"#"), cap("fragment", self.fragment)))
        self.URI = seq(cap("scheme", self.scheme), lit(b":"), self.hier_part, q, f)
        self.absolute_URI = seq(cap("scheme", self.scheme), lit(b":"), self.hier_part, q)
        self.relative_ref = seq(self.relative_part, q, f)
        # URI-reference = URI / relative-ref  : tried in order by the driver


# --------------------------------------------------------------------------
# UTF-8 ranges for RFC 3987, generated (not typed) from the ABNF code points

UCSCHAR = [(0xA0, 0xD7FF), (0xF900, 0xFDCF), (0xFDF0, 0xFFEF)] + \
          [(p << 16, (p << 16) + 0xFFFD) for p in range(1, 14)] + [(0xE1000, 0xEFFFD)]
IPRIVATE = [(0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)]


def _utf8_split(lo, hi):
    """Split [lo,hi] into lists of per-byte (a,b) ranges of well-formed UTF-8."""
    for lim in (0x7F, 0x7FF, 0xFFFF):
        if lo <= lim < hi:
            return _utf8_split(lo, lim) + _utf8_split(lim + 1, hi)
    n = 1 if hi <= 0x7F else 2 if hi <= 0x7FF else 3 if hi <= 0xFFFF else 4
    for i in range(1, n):
        m = (1 << (6 * i)) - 1
        if (lo & ~m) != (hi & ~m):
            if lo & m:
                return _utf8_split(lo, lo | m) + _utf8_split((lo | m) + 1, hi)
            if (hi & m) != m:
                return _utf8_split(lo, (hi & ~m) - 1) + _utf8_split(hi & ~m, hi)
    a, b = chr(lo).encode("utf-8"), chr(hi).encode("utf-8")
    return [list(zip(a, b))]


def utf8_class(ranges):
    alts = []
    for lo, hi in ranges:
        for spans in _utf8_split(lo, hi):
            alts.append(b"".join(b"[\\x%02x-\\x%02x]" % s for s in spans))
    return alt(*alts)


R3986 = _3986ish()
R3987 = _3986ish(utf8_class(UCSCHAR), utf8_class(IPRIVATE))


# --------------------------------------------------------------------------
class _2396:
    """RFC 2396 appendix A as amended by RFC 2732 section 3.

    empty_rel=True adds the one alternative the BNF forgot and the RFC's own
    Appendix C.1 ("?y") and section 5.2 step 2 need: relativeURI with an empty
    path before "?".
    """

    def __init__(self, empty_rel):
        alpha, digit = b"[A-Za-z]", b"[0-9]"
        alphanum = alt(alpha, digit)
        hexd = b"[0-9A-Fa-f]"
        escaped = seq(lit(b"%"), hexd, hexd)
        mark = chars(b"-_.!~*'()")
        unreserved = alt(alphanum, mark)
        reserved = chars(b";/?:@&=+$,[]")           # RFC 2732 (3): "[" and "]" added
        uric = alt(reserved, unreserved, escaped)
        self.fragment = star(uric)
        self.query = star(uric)
        pchar = alt(unreserved, escaped, chars(b":@&=+$,"))
        param = star(pchar)
        segment = seq(star(pchar), star(seq(lit(b";"), param)))
        path_segments = seq(segment, star(seq(lit(b"/"), segment)))
        port = star(digit)
        # RFC 2732 (2): at most three decimal digits per segment
        d3 = rep(1, 3, digit)
        IPv4address = seq(d3, lit(b"."), d3, lit(b"."), d3, lit(b"."), d3)
        toplabel = alt(seq(alpha, star(alt(alphanum, lit(b"-"))), alphanum), alpha)
        domainlabel = alt(seq(alphanum, star(alt(alphanum, lit(b"-"))), alphanum), alphanum)
        hostname = seq(star(seq(domainlabel, lit(b"."))), toplabel, opt(lit(b".")))
        # RFC 2732 (1): IPv6reference = "[" IPv6address "]", IPv6address from
        # RFC 2373 2.2 (text, 8 pieces; its appendix B ABNF is broken).
        h4 = rep(1, 4, hexd)
        o = alt(seq(lit(b"25"), b"[0-5]"), seq(lit(b"2"), b"[0-4]", digit), seq(b"[01]", digit, digit),
                seq(digit, digit), digit)            # 1*3DIGIT with value <= 255
        v4 = seq(o, lit(b"."), o, lit(b"."), o, lit(b"."), o)

        def hexseq(n):
            return b":".join([h4] * n)
        forms = [hexseq(8), seq(hexseq(6), lit(b":"), v4)]
        for left in range(8):
            for right in range(8 - left):            # left+right <= 7 pieces written
                forms.append(seq(hexseq(left), lit(b"::"), hexseq(right)))
            for right in range(6 - left):            # plus two pieces of dotted quad
                tail = seq(hexseq(right), lit(b":"), v4) if right else v4
                forms.append(seq(hexseq(left), lit(b"::"), tail))
        IPv6address = alt(*forms)
        IPv6reference = seq(lit(b"["), cap("v6", IPv6address), lit(b"]"))
        host = alt(cap("hn", hostname), cap("v4", IPv4address), IPv6reference)
        hostport = seq(cap("host", host), opt(seq(lit(b":"), cap("port", port))))
        userinfo = star(alt(unreserved, escaped, chars(b";:&=+$,")))
        server = opt(seq(opt(seq(cap("userinfo", userinfo), lit(b"@"))), hostport))
        reg_name = plus(alt(unreserved, escaped, chars(b"$,;:@&=+")))
        # authority = server | reg_name  (server first; backtracking forces
        # whichever is chosen to span the whole authority)
        authority = alt(cap("server", server), cap("reg_name", reg_name))
        self.scheme = seq(alpha, star(alt(alpha, digit, chars(b"+-."))))
        rel_segment = plus(alt(unreserved, escaped, chars(b";@&=+$,")))
        abs_path = seq(lit(b"/"), path_segments)
        rel_path = seq(rel_segment, opt(abs_path))
        # greedy rule of 4.3: net_path before abs_path
        net_path = seq(lit(b"//"), cap("authority", authority), cap("p0", opt(abs_path)))
        uric_no_slash = alt(unreserved, escaped, chars(b";?:@&=+$,"))
        opaque_part = seq(uric_no_slash, star(uric))
        q = opt(seq(lit(b"?"), cap("query", self.query)))
        hier_part = seq(alt(net_path, cap("p1", abs_path)), q)
        f = opt(seq(lit(b"#"), cap("fragment", self.fragment)))
        self.absoluteURI = seq(cap("scheme", self.scheme), lit(b":"),
                               cap("ssp", alt(hier_part, cap("opaque", opaque_part))))
        rel = [net_path, cap("p1", abs_path), cap("p2", rel_path)]
        self.relativeURI = cap("ssp", seq(alt(*rel), q))
        if empty_rel:
            rel.append(seq(cap("p3", b""), b"(?=\\?)"))
            self.relativeURI = cap("ssp", seq(alt(*rel), q))
        self.abs_frag = seq(self.absoluteURI, f)
        self.rel_frag = seq(self.relativeURI, f)
        self.none_frag = seq(cap("ssp", b""), f)     # [ ... ] omitted


R2396 = _2396(True)
R2396S = _2396(False)


# --------------------------------------------------------------------------
class _Java:
    """What java.net.URI(String) accepts, on ASCII input, as a regex.

    Sources: the constructor Javadoc's list of deviations and what was observed
    by running JavaOracle.  A model, for machines without a JDK;
    JavaOracle.java is the authority.
    """

    def __init__(self):
        alnum = b"[A-Za-z0-9]"
        esc = b"%[0-9A-Fa-f][0-9A-Fa-f]"
        unres = b"[A-Za-z0-9_.!~*'()\\-]"
        uric = alt(unres, esc, chars(b";/?:@&=+$,[]"))
        pathc = alt(unres, esc, chars(b":@&=+$,;/"))
        regc = alt(unres, esc, chars(b"$,;:@&=+"))
        uinf = star(alt(unres, esc, chars(b";:&=+$,")))
        # octet: value <= 255, any number of leading zeros (observed)
        o = seq(b"0*", alt(b"25[0-5]", b"2[0-4][0-9]", b"1[0-9][0-9]", b"[1-9]?[0-9]"))
        v4 = seq(o, b"\\.", o, b"\\.", o, b"\\.", o)
        label = alt(seq(alnum, star(b"[A-Za-z0-9\\-]"), alnum), alnum)
        top = alt(seq(b"[A-Za-z]", star(b"[A-Za-z0-9\\-]"), alnum), b"[A-Za-z]")
        hostname = alt(seq(label, b"\\.?"), seq(plus(seq(label, b"\\.")), top, b"\\.?"))
        h4 = rep(1, 4, HEXDIG)

        def hexseq(n):
            return b":".join([h4] * n)
        forms = [hexseq(8), seq(hexseq(6), b":", v4)]
        for left in range(8):
            for right in range(8 - left):
                forms.append(seq(hexseq(left), b"::", hexseq(right)))
            for right in range(6 - left):
                forms.append(seq(hexseq(left), b"::", seq(hexseq(right), b":", v4) if right else v4))
        v6 = seq(b"\\[", cap("v6", alt(*forms)), opt(b"%[A-Za-z0-9_.]+"), b"\\]")
        host = alt(v6, cap("v4", v4), cap("hn", hostname))
        # value must fit an int: checked by the driver through 'port'
        server = seq(opt(seq(cap("userinfo", uinf), b"@")), cap("host", host),
                     opt(seq(b":", cap("port", b"[0-9]*"))))
        auth = alt(cap("server", server), cap("reg_name", plus(regc)))
        q = opt(seq(b"\\?", cap("query", star(uric))))
        f = opt(seq(b"\\#", cap("fragment", star(uric))))
        # empty authority allowed when anything follows it
        net = seq(b"//", alt(seq(cap("authority", auth), cap("p0", opt(seq(b"/", star(pathc))))),
                             seq(b"(?=[/?\\#])", cap("p4", opt(seq(b"/", star(pathc)))))))
        hier_rest = seq(b"/(?!/)", star(pathc))
        scheme = cap("scheme", b"[A-Za-z][A-Za-z0-9+.\\-]*")
        self.abs = seq(scheme, b":", cap("ssp", alt(seq(alt(net, cap("p1", hier_rest)), q),
                                                    cap("opaque", seq(b"(?!/)", plus(uric))))), f)
        # no ":" before the first "/", "?" or "#" in a relative reference
        relp = opt(seq(alt(unres, esc, chars(b"@&=+$,;")),
                       star(alt(unres, esc, chars(b"@&=+$,;"))), opt(seq(b"/", star(pathc)))))
        self.rel = seq(cap("ssp", seq(alt(net, cap("p1", hier_rest), cap("p2", relp)), q)), f)


RJAVA = _Java()

# --------------------------------------------------------------------------
# drivers


def _c(x):
    return re.compile(x)


_C = {
    "3986:URI": _c(R3986.URI), "3986:abs": _c(R3986.absolute_URI), "3986:rel": _c(R3986.relative_ref),
    "3987:URI": _c(R3987.URI), "3987:abs": _c(R3987.absolute_URI), "3987:rel": _c(R3987.relative_ref),
    "2396:absf": _c(R2396.abs_frag), "2396:relf": _c(R2396.rel_frag), "2396:none": _c(R2396.none_frag),
    "2396:abs": _c(R2396.absoluteURI), "2396:rel": _c(R2396.relativeURI),
    "2396s:relf": _c(R2396S.rel_frag), "2396s:rel": _c(R2396S.relativeURI),
    "java:abs": _c(RJAVA.abs), "java:rel": _c(RJAVA.rel),
}

COMP3986 = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
COMP2396 = ("scheme", "ssp", "authority", "userinfo", "host", "port", "path", "query", "fragment")


def _over_int(b):
    """decimal digits denote a value above 2**31-1 (no int(): ports may be long)"""
    b = b.lstrip(b"0")
    return len(b) > 10 or (len(b) == 10 and b > b"2147483647")


def _sp(m, name):
    if name not in m.re.groupindex:
        return None
    s = m.span(name)
    return None if s[0] < 0 else s


def _path(m):
    for g in ("p0", "p1", "p2", "p3", "p4"):
        s = _sp(m, g)
        if s is not None:
            return s
    return None


def _out3986(m):
    r = {k: _sp(m, k) for k in COMP3986 if k != "path"}
    r["path"] = _path(m)
    r["hostkind"] = ("ipv6" if _sp(m, "v6") else "ipvfuture" if _sp(m, "vf") else
                     "ipv4" if _sp(m, "v4") else "reg-name" if r["host"] is not None else "-")
    return r


def _out2396(m, n):
    r = {k: _sp(m, k) for k in COMP2396 if k != "path"}
    r["path"] = _path(m)
    r["opaque"] = _sp(m, "opaque") is not None
    if r["path"] is None and not r["opaque"]:
        r["path"] = r["ssp"]            # "" and "#frag": empty path at the ssp position
    r["absolute"] = r["scheme"] is not None
    if r["authority"] is None:
        r["authkind"] = "-"
    elif _sp(m, "reg_name") is not None:
        r["authkind"] = "registry"
        r["userinfo"] = r["host"] = r["port"] = None
    else:
        r["authkind"] = "server"
    r["hostkind"] = "-" if r["host"] is None else ("ipv6" if _sp(m, "v6") else
                                                   "ipv4" if _sp(m, "v4") else "hostname")
    return r


def _p2396ref(d, relkey):
    for k in ("2396:absf", relkey, "2396:none"):
        m = _C[k].fullmatch(d)
        if m:
            return _out2396(m, len(d))
    return None


def _java(d):
    for c in d:
        if c >= 0x80:
            return None                  # model is for ASCII only
    m = _C["java:abs"].fullmatch(d) or _C["java:rel"].fullmatch(d)
    if not m:
        return None
    r = _out2396(m, len(d))
    if r["authority"] is not None and r["authkind"] == "server":
        p = r["port"]
        if p is not None and _over_int(d[p[0]:p[1]]):
            # server parse fails -> registry, unless brackets make that impossible
            a = d[r["authority"][0]:r["authority"][1]]
            if b"[" in a:
                return None
            r["authkind"] = "registry"
            r["userinfo"] = r["host"] = r["port"] = None
            r["hostkind"] = "-"
        elif p is not None and p[1] == p[0]:
            r["port"] = None             # getPort() == -1 for an empty port
    return r


def parse(g, d):
    if g == "rfc3986:URI-reference":
        m = _C["3986:URI"].fullmatch(d) or _C["3986:rel"].fullmatch(d)
        return _out3986(m) if m else None
    if g == "rfc3986:URI":
        m = _C["3986:URI"].fullmatch(d)
        return _out3986(m) if m else None
    if g == "rfc3986:absolute-URI":
        m = _C["3986:abs"].fullmatch(d)
        return _out3986(m) if m else None
    if g == "rfc3986:relative-ref":
        m = _C["3986:rel"].fullmatch(d)
        return _out3986(m) if m else None
    if g == "rfc3987:IRI-reference":
        m = _C["3987:URI"].fullmatch(d) or _C["3987:rel"].fullmatch(d)
        return _out3986(m) if m else None
    if g == "rfc3987:IRI":
        m = _C["3987:URI"].fullmatch(d)
        return _out3986(m) if m else None
    if g == "rfc3987:absolute-IRI":
        m = _C["3987:abs"].fullmatch(d)
        return _out3986(m) if m else None
    if g == "rfc3987:irelative-ref":
        m = _C["3987:rel"].fullmatch(d)
        return _out3986(m) if m else None
    if g == "rfc2396:URI-reference":
        return _p2396ref(d, "2396:relf")
    if g == "rfc2396-bnf:URI-reference":
        return _p2396ref(d, "2396s:relf")
    if g == "rfc2396:absoluteURI":
        m = _C["2396:abs"].fullmatch(d)
        return _out2396(m, len(d)) if m else None
    if g == "rfc2396:absoluteURI-fragment":
        m = _C["2396:absf"].fullmatch(d)
        return _out2396(m, len(d)) if m else None
    if g == "rfc2396:relativeURI":
        m = _C["2396:rel"].fullmatch(d)
        return _out2396(m, len(d)) if m else None
    if g == "rfc2396-bnf:relativeURI":
        m = _C["2396s:rel"].fullmatch(d)
        return _out2396(m, len(d)) if m else None
    if g == "java:model":
        return _java(d)
    raise ValueError(g)


GRAMMARS = ("rfc3986:URI", "rfc3986:URI-reference", "rfc3986:absolute-URI", "rfc3986:relative-ref",
            "rfc2396:URI-reference", "rfc2396:absoluteURI", "rfc2396:absoluteURI-fragment",
            "rfc2396:relativeURI", "rfc2396-bnf:URI-reference", "rfc2396-bnf:relativeURI",
            "rfc3987:IRI", "rfc3987:IRI-reference", "rfc3987:absolute-IRI", "rfc3987:irelative-ref",
            "java:model")


# --------------------------------------------------------------------------
# Points where a reasonable reading of RFC 2396+2732 differs.  Each flag names
# a decision in README.md; a line without flags has one reading only.

_A_RANGE = re.compile(rb"[0-9]+(?:\.[0-9]+){3}")
_A_BRACK = re.compile(rb"\[([^\]/?#@]*)\]")
_A_OPAQ = re.compile(rb"[A-Za-z][A-Za-z0-9+.\-]*:[\[\]]")


def ambiguity2396(d, r=None):
    """Set of decision ids that the verdict or components of d hinge on.

    Ids D1..D15 are listed in README.md.  Every ASCII line on which java.net.URI
    and rfc2396:URI-reference differ (verdict or components) carries at least one.
    """
    out = set()
    if r is None:
        r = parse("rfc2396:URI-reference", d)
    if r is not None:
        au = r["authority"]
        if not r["absolute"] and au is None and r["query"] is not None and r["path"][0] == r["path"][1]:
            out.add("D1-query-only-ref")
        if r["ssp"][0] == r["ssp"][1]:
            out.add("D2-empty-or-fragment-only-ref")
        if au is None:
            return out
        if au[0] == au[1]:
            out.add("D3-empty-authority")
            if au[1] == len(d):
                out.add("D4-empty-authority-at-end")
        a = d[au[0]:au[1]]
        if r["authkind"] == "registry":
            h = re.sub(rb":[0-9]*\Z", b"", a.rsplit(b"@", 1)[-1])
            if re.fullmatch(rb"[0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.?", h):
                out.add("D6-digit-single-label")
            if re.fullmatch(rb"[0-9]+(?:\.[0-9]+){3}", h):
                out.add("D7-ipv4-octet-over-3-digits")
            return out
        if r["hostkind"] == "ipv4":
            o = d[r["host"][0]:r["host"][1]].split(b".")
            if any(int(x) > 255 for x in o):
                out.add("D5-ipv4-octet-over-255")
        if r["port"] is not None:
            if r["port"][0] == r["port"][1]:
                out.add("D11-empty-port")
            if _over_int(d[r["port"][0]:r["port"][1]]):
                out.add("D8-port-over-int")
        if r["hostkind"] == "ipv6":
            h = d[r["host"][0] + 1:r["host"][1] - 1]
            q = _A_RANGE.search(h)
            if q and any(len(x) > 1 and x[:1] == b"0" for x in q.group().split(b".")):
                out.add("D9-ipv6-quad-leading-zero")
            if b"::" in h and len([x for x in re.split(b":+", h) if x]) + (1 if q else 0) == 7:
                out.add("D15-double-colon-for-one-group")
        return out
    if _A_OPAQ.match(d):
        out.add("D13-opaque-starts-with-bracket")
    m = _A_BRACK.search(d)
    if m:
        if b"%" in m.group(1):
            out.add("D12-ipv6-scope-id")
        q = _A_RANGE.search(m.group(1))
        if q:
            o = q.group().split(b".")
            if any(len(x) > 3 for x in o):
                out.add("D14-ipv6-quad-over-3-digits")
            elif any(int(x) > 255 for x in o):
                out.add("D10-ipv6-quad-over-255")
    return out


def fmt(r, comps):
    """comma list 's-e' or '-' in the order of comps"""
    return ",".join("-" if r[c] is None else "%d-%d" % r[c] for c in comps)


if __name__ == "__main__":
    for line in sys.stdin.buffer.read().split(b"\n"):
        print(line)
        for g in GRAMMARS:
            print("   %-32s %s" % (g, parse(g, line)))
