//! Structs of masks. Each field is declared once; it holds one mask for a block, and an array of masks for a
//! group of blocks.

/// The blocks of a group: few enough that their masks stay in the L1 cache, and enough for long loops.
pub(in crate::simd) const GROUP: usize = 32;

/// Declares a struct of masks. A field has the mask of one block if `M` is `u64`, the masks of several blocks
/// in registers if `M` is [`Words`](crate::simd::block::vector::Words), and the masks of a group of blocks if
/// `M` is an array of `u64`. If `M` is `bool`, the struct says which fields are needed.
macro_rules! masks {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(in crate::simd) struct $name<M> {
            $($(#[$field_doc])* pub(in crate::simd) $field: M,)*
        }

        // Not each struct uses all of these functions.
        #[allow(dead_code)]
        impl $name<u64> {
            pub(in crate::simd) const NONE: Self = $name { $($field: 0,)* };

            /// Returns the masks, each changed by `change`.
            #[inline(always)]
            pub(in crate::simd) fn map(self, change: impl Fn(u64) -> u64) -> Self {
                $name { $($field: change(self.$field),)* }
            }
        }

        #[allow(dead_code)]
        impl $name<[u64; crate::simd::block::mask_structs::GROUP]> {
            pub(in crate::simd) const NONE: Self = $name { $($field: [0; crate::simd::block::mask_structs::GROUP],)* };

            /// Returns the masks from block `i` on.
            ///
            /// # Safety
            ///
            /// The machine must have the features of `W`.
            #[inline(always)]
            pub(in crate::simd) unsafe fn get<W: crate::simd::block::vector::Words>(&self, i: usize) -> $name<W> {
                // SAFETY: the caller promises the features.
                unsafe { $name { $($field: W::load(&self.$field[i..]),)* } }
            }

            /// Sets the needed masks from block `i` on.
            ///
            /// # Safety
            ///
            /// The machine must have the features of `W`.
            #[inline(always)]
            pub(in crate::simd) unsafe fn set<W: crate::simd::block::vector::Words>(
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
pub(in crate::simd) use masks;

/// Returns the number of bits that are set.
#[inline(always)]
pub(in crate::simd) fn count_ones(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// Returns whether any bit is set.
#[inline(always)]
pub(in crate::simd) fn any(words: &[u64]) -> bool {
    words.iter().fold(0, |all, word| all | word) != 0
}
