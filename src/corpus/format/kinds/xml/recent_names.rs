//! The names that tags had lately, with facts about them. Documents have few names, again and again, and
//! mostly in the same order.
//!
//! A name is in one of four slots, which its hash selects. Each slot knows the slot of the name that came last
//! after its own, so most names are found by a single comparison.

use super::short_name::ShortName;

/// The names that tags had lately, each in a context, with facts about them. Long names are not kept.
pub(super) struct RecentNames<F> {
    slots: Box<[RecentName<F>; SLOTS]>,
    /// For the name in each slot, the slot of the name that came last after it.
    next: [Slot; SLOTS],
    /// The slot of the last name.
    last: Slot,
    /// The number of names that have been kept.
    kept: u32,
}

/// A slot.
pub(super) type Slot = u8;

/// The number of slots. One number has a bit for each.
const SLOTS: usize = 64;
/// The number of slots in which a name can be.
const WAYS: usize = 4;

/// A name that a tag had.
#[derive(Clone, Copy)]
pub(super) struct RecentName<F> {
    pub(super) short: ShortName,
    /// The bits of a name in 16 bytes. None if it is longer.
    mask: u128,
    len: u32,
    context: u32,
    /// Differs between all names that have been kept. It is not 0.
    pub(super) number: u32,
    pub(super) facts: F,
}

impl<F> RecentName<F> {
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns true if 16 bytes of a document start with the name, which can go on after it. False for names
    /// of more than 16 bytes.
    #[inline(always)]
    pub(super) fn starts(&self, bytes: u128) -> bool {
        bytes & self.mask == self.short.head()
    }
}

impl<F: Copy + Default> Default for RecentNames<F> {
    fn default() -> Self {
        let facts = F::default();
        let none = RecentName { short: ShortName::NONE, mask: 0, len: 0, context: 0, number: 0, facts };
        RecentNames { slots: Box::new([none; SLOTS]), next: [0; SLOTS], last: 0, kept: 0 }
    }
}

impl<F: Copy> RecentNames<F> {
    /// Returns the name in a slot.
    #[inline(always)]
    pub(super) fn at(&self, slot: Slot) -> &RecentName<F> {
        &self.slots[usize::from(slot) % SLOTS]
    }

    /// Returns the slot of the name that is expected next, if these 16 bytes of the document start with it.
    /// The caller must check that the name ends there.
    #[inline(always)]
    pub(super) fn expected(&self, bytes: u128, context: u32) -> Option<Slot> {
        let slot = self.next[usize::from(self.last) % SLOTS];
        let recent = self.at(slot);
        (recent.starts(bytes) && recent.context == context).then_some(slot)
    }

    /// Goes on to the name in a slot, which is the last one then.
    #[inline(always)]
    pub(super) fn go_on(&mut self, slot: Slot) {
        self.last = slot;
    }

    /// Returns the slot of a name, which is expected from now on after the last one.
    pub(super) fn expect(&mut self, name: ShortName, context: u32) -> Option<Slot> {
        let slot = self.find(name, context)?;
        self.next[usize::from(self.last) % SLOTS] = slot;
        Some(slot)
    }

    /// Returns the slot of a name.
    #[inline]
    pub(super) fn find(&self, name: ShortName, context: u32) -> Option<Slot> {
        let first = first_slot(name, context);
        (first..first + WAYS as Slot).find(|&slot| {
            let recent = self.at(slot);
            recent.short == name && recent.context == context
        })
    }

    /// Keeps a name of this length, which has no slot, and returns its number.
    pub(super) fn keep(&mut self, name: ShortName, len: usize, context: u32, facts: F) -> u32 {
        // Numbers of names that were kept four billion names ago are in no slot any more.
        self.kept = self.kept.wrapping_add(1).max(1);
        let (mask, number) = (ShortName::mask(len), self.kept);
        let recent = RecentName { short: name, mask, len: len as u32, context, number, facts };
        let first = usize::from(first_slot(name, context));
        let slots = &mut self.slots[first..first + WAYS];
        // The oldest name goes.
        slots.rotate_right(1);
        slots[0] = recent;
        self.kept
    }
}

/// Returns the first of the slots in which a name can be.
#[inline]
fn first_slot(name: ShortName, context: u32) -> Slot {
    let group = (name.hash(SLOTS) + context as usize) % (SLOTS / WAYS);
    (group * WAYS) as Slot
}
