//! The elements that hold URLs or whose content is not markup, and the attributes that hold URLs.

use std::ops::Range;

use super::table::NameTable;

macro_rules! elements {
    ($($element:ident = $name:literal,)*) => {
        /// An element with a name in the table, or another element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Element { Other, $($element,)* }

        static ELEMENTS: NameTable<Element, 256> = NameTable::new(&[$(($name, Element::$element),)*], Element::Other);

        impl Element {
            /// Returns the name of the element, if the table has it.
            pub(super) fn name(self) -> Option<&'static str> {
                match self { Element::Other => None, $(Element::$element => Some($name),)* }
            }
        }
    };
}

elements! {
    A = "a", Applet = "applet", Area = "area", Audio = "audio", Base = "base", Blockquote = "blockquote", Body = "body", Button = "button",
    Del = "del", Embed = "embed", FeImage = "feimage", Form = "form", Frame = "frame", Head = "head", Html = "html",
    Iframe = "iframe", Image = "image", Img = "img", Input = "input", Ins = "ins",
    LinearGradient = "lineargradient", Link = "link", Math = "math", Meta = "meta", Mpath = "mpath", Noembed = "noembed",
    Noframes = "noframes", Object = "object", Pattern = "pattern", Plaintext = "plaintext", Q = "q",
    RadialGradient = "radialgradient", Script = "script", Source = "source", Style = "style", Svg = "svg",
    Table = "table", Tbody = "tbody", Td = "td", Textarea = "textarea", TextPath = "textpath", Tfoot = "tfoot", Th = "th",
    Thead = "thead", Title = "title", Tr = "tr", Track = "track", Use = "use", Video = "video", Xmp = "xmp",
}

/// The content of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A URL.
    Url,
    /// URLs between white space.
    Urls,
    /// URLs between commas, each with a descriptor.
    Images,
    /// Styles with `url(…)`.
    Styles,
    /// A time, and a URL if `http-equiv` is `refresh`.
    Refresh,
    /// A word that decides whether `content` holds a URL.
    HttpEquiv,
}

macro_rules! attributes {
    ($($attribute:ident = $name:literal, $on:pat => $holds:ident;)*) => {
        /// An attribute that holds URLs on some elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Attribute { $($attribute,)* }

        static ATTRIBUTES: NameTable<Option<Attribute>, 64> =
            NameTable::new(&[$(($name, Some(Attribute::$attribute)),)*], None);

        impl Attribute {
            /// Returns true if the attribute holds URLs on this element.
            fn is_on(self, element: Element) -> bool {
                use Element::*;

                match self { $(Attribute::$attribute => matches!(element, $on),)* }
            }

            pub(super) fn name(self) -> &'static str {
                match self { $(Attribute::$attribute => $name,)* }
            }

            pub(super) fn holds(self) -> Holds {
                match self { $(Attribute::$attribute => Holds::$holds,)* }
            }
        }
    };
}

// The index of attributes in the standard, and those attributes of HTML 4 and of SVG 1.1 and 2 that pages
// still have.
attributes! {
    Action = "action", Form => Url;
    Cite = "cite", Blockquote | Del | Ins | Q => Url;
    Content = "content", Meta => Refresh;
    Data = "data", Object => Url;
    FormAction = "formaction", Button | Input => Url;
    Href = "href", A | Area | Base | Link | FeImage | Image | LinearGradient | Mpath | Pattern | RadialGradient | TextPath | Use => Url;
    HttpEquiv = "http-equiv", Meta => HttpEquiv;
    ImageSrcset = "imagesrcset", Link => Images;
    ItemId = "itemid", _ => Url;
    ItemType = "itemtype", _ => Urls;
    Ping = "ping", A | Area => Urls;
    Poster = "poster", Video => Url;
    Src = "src", Audio | Embed | Frame | Iframe | Image | Img | Input | Script | Source | Track | Video => Url;
    Srcset = "srcset", Img | Source => Images;
    Style = "style", _ => Styles;
    Background = "background", Body | Table | Tbody | Td | Tfoot | Th | Thead | Tr => Url;
    Codebase = "codebase", Applet | Object => Url;
    Longdesc = "longdesc", Frame | Iframe | Img => Url;
    Lowsrc = "lowsrc", Img => Url;
    Manifest = "manifest", Html => Url;
    Profile = "profile", Head => Urls;
    XlinkHref = "xlink:href", _ => Url;
}

impl Element {
    /// Returns the element with the name in this range of the bytes, in any letter case.
    #[inline]
    pub(super) fn of(bytes: &[u8], name: Range<usize>) -> Self {
        ELEMENTS.get(bytes, name)
    }

    /// Returns true if the content between the element's start tag and end tag is text.
    pub(super) fn is_raw_text(self) -> bool {
        use Element::{Iframe, Noembed, Noframes, Style, Textarea, Title, Xmp};

        matches!(self, Iframe | Noembed | Noframes | Style | Textarea | Title | Xmp)
    }

    /// Returns true if the elements inside this element are not HTML elements.
    pub(super) fn is_foreign(self) -> bool {
        matches!(self, Element::Math | Element::Svg)
    }
}

impl Attribute {
    /// Returns the attribute with the name in this range of the bytes, in any letter case, if it holds URLs
    /// on this element.
    #[inline]
    pub(super) fn of(element: Element, bytes: &[u8], name: Range<usize>) -> Option<Self> {
        ATTRIBUTES.get(bytes, name).filter(|attribute| attribute.is_on(element))
    }

    /// Returns the bit of the attribute in a set.
    pub(super) fn bit(self) -> u32 {
        1 << self as u32
    }
}
