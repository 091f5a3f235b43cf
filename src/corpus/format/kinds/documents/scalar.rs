//! Numbers and names of JSON (RFC 8259 sections 3 and 6), byte by byte, since a chunk may end in one.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    /// The bytes of `true`, `false` or `null` that are still to come.
    Name(&'static [u8]),
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    /// After the `e`.
    Exponent,
    /// After the sign of the exponent.
    SignedExponent,
    ExponentDigits,
}

impl Scalar {
    /// Returns the scalar that starts with this byte.
    pub(super) fn start(byte: u8) -> Option<Self> {
        Some(match byte {
            b't' => Scalar::Name(b"rue"),
            b'f' => Scalar::Name(b"alse"),
            b'n' => Scalar::Name(b"ull"),
            b'-' => Scalar::Minus,
            b'0' => Scalar::Zero,
            b'1'..=b'9' => Scalar::Integer,
            _ => return None,
        })
    }

    /// Returns the scalar with one more byte, if the byte can belong to it.
    pub(super) fn next(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Scalar::Name([first, rest @ ..]), _) if *first == byte => Scalar::Name(rest),
            (Scalar::Minus, b'0') => Scalar::Zero,
            (Scalar::Minus, b'1'..=b'9') | (Scalar::Integer, b'0'..=b'9') => Scalar::Integer,
            (Scalar::Zero | Scalar::Integer, b'.') => Scalar::Point,
            (Scalar::Point | Scalar::Fraction, b'0'..=b'9') => Scalar::Fraction,
            (Scalar::Zero | Scalar::Integer | Scalar::Fraction, b'e' | b'E') => Scalar::Exponent,
            (Scalar::Exponent, b'+' | b'-') => Scalar::SignedExponent,
            (Scalar::Exponent | Scalar::SignedExponent | Scalar::ExponentDigits, b'0'..=b'9') => {
                Scalar::ExponentDigits
            }
            _ => return None,
        })
    }

    /// Returns true if the scalar can end here.
    pub(super) fn is_whole(self) -> bool {
        match self {
            Scalar::Name(rest) => rest.is_empty(),
            Scalar::Zero | Scalar::Integer | Scalar::Fraction | Scalar::ExponentDigits => true,
            Scalar::Minus | Scalar::Point | Scalar::Exponent | Scalar::SignedExponent => false,
        }
    }
}
