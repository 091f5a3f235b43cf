//! Structs of masks whose fields are listed once: one mask a field for a block, and one array of masks a field for a group of blocks.

/// The blocks of a group: few enough for their masks to stay in the L1 cache, many enough to keep the loops going.
pub(super) const GROUP: usize = 32;

/// Declares a struct with a mask a field: of one block if `M` is `u64`, of several in registers if it is
/// [`Words`](super::vector::Words), of a group of blocks if it is an array of `u64`; if it is `bool`, it says which fields are needed.
macro_rules! masks {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name<M> {
            $($(#[$field_doc])* pub(super) $field: M,)*
        }

        // Not each of them needs all of this.
        #[allow(dead_code)]
        impl $name<u64> {
            pub(super) const NONE: Self = $name { $($field: 0,)* };

            /// The same, changed alike.
            #[inline(always)]
            pub(super) fn map(self, change: impl Fn(u64) -> u64) -> Self {
                $name { $($field: change(self.$field),)* }
            }
        }

        #[allow(dead_code)]
        impl $name<[u64; super::mask_structs::GROUP]> {
            pub(super) const NONE: Self = $name { $($field: [0; super::mask_structs::GROUP],)* };

            /// The masks from block `i` on.
            ///
            /// # Safety
            ///
            /// The machine must have the features of `W`.
            #[inline(always)]
            pub(super) unsafe fn get<W: super::vector::Words>(&self, i: usize) -> $name<W> {
                // SAFETY: the caller promises the features.
                unsafe { $name { $($field: W::load(&self.$field[i..]),)* } }
            }

            /// Sets the masks from block `i` on that are needed.
            ///
            /// # Safety
            ///
            /// The machine must have the features of `W`.
            #[inline(always)]
            pub(super) unsafe fn set<W: super::vector::Words>(
                &mut self,
                i: usize,
                masks: $name<W>,
                needed: $name<bool>,
            ) {
                $(if needed.$field {
                    // SAFETY: the caller promises the features.
                    unsafe { masks.$field.store(&mut self.$field[i..]) }
                })*
            }
        }
    };
}
pub(super) use masks;
