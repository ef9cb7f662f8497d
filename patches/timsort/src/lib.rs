//! What the built-in Python interpreter sorts with, in the place of the crate of that name, whose test of when to merge
//! compares a run with itself: it merges after every run, and the time grows with the square of the length.
#![forbid(unsafe_code)]

/// Shorter stretches are sorted by insertion.
const RUN: usize = 16;

/// Stable. When a comparison fails the list is as it was.
pub fn try_sort_by_gt<T, E>(list: &mut [T], is_gt: impl Fn(&T, &T) -> Result<bool, E>) -> Result<(), E> {
    let length = list.len();
    let gt = |left: usize, right: usize| is_gt(&list[left], &list[right]);
    let mut order: Vec<usize> = (0..length).collect();
    for run in order.chunks_mut(RUN) {
        insert(run, &gt)?;
    }
    let mut next = vec![0; length];
    let mut width = RUN;
    while width < length {
        for (from, to) in order.chunks(2 * width).zip(next.chunks_mut(2 * width)) {
            let (left, right) = from.split_at(width.min(from.len()));
            merge(left, right, to, &gt)?;
        }
        std::mem::swap(&mut order, &mut next);
        width *= 2;
    }
    put(list, &order);
    Ok(())
}

fn insert<E>(run: &mut [usize], gt: &impl Fn(usize, usize) -> Result<bool, E>) -> Result<(), E> {
    for end in 1..run.len() {
        let mut at = end;
        while at > 0 && gt(run[at - 1], run[at])? {
            run.swap(at - 1, at);
            at -= 1;
        }
    }
    Ok(())
}

/// Of equal ones the left one comes first.
fn merge<'a, E>(
    mut left: &'a [usize],
    mut right: &'a [usize],
    to: &mut [usize],
    gt: &impl Fn(usize, usize) -> Result<bool, E>,
) -> Result<(), E> {
    // In order already, as much of what people sort is.
    if let (Some(last), Some(first)) = (left.last(), right.first())
        && !gt(*last, *first)?
    {
        to[..left.len()].copy_from_slice(left);
        to[left.len()..].copy_from_slice(right);
        return Ok(());
    }
    for place in to {
        let from_right = match (left.first(), right.first()) {
            (Some(one), Some(other)) => gt(*one, *other)?,
            (one, _) => one.is_none(),
        };
        let side = if from_right { &mut right } else { &mut left };
        if let Some((first, rest)) = side.split_first() {
            (*place, *side) = (*first, rest);
        }
    }
    Ok(())
}

/// Moves every element to its place: `order` says which one comes where.
fn put<T>(list: &mut [T], order: &[usize]) {
    let mut place = vec![0; order.len()];
    for (at, from) in order.iter().enumerate() {
        place[*from] = at;
    }
    for at in 0..list.len() {
        while place[at] != at {
            let to = place[at];
            list.swap(at, to);
            place.swap(at, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(list: &[u32]) -> Vec<(u32, usize)> {
        let mut list: Vec<_> = list.iter().copied().zip(0..).collect();
        try_sort_by_gt(&mut list, |a, b| Ok::<_, ()>(a.0 / 10 > b.0 / 10)).unwrap();
        list
    }

    #[test]
    fn sorts_and_keeps_the_order_of_equal_ones() {
        for length in [0, 1, 2, 15, 16, 17, 31, 32, 33, 64, 100, 1000, 1023] {
            let mut seed = length as u32 + 1;
            let list: Vec<u32> = (0..length)
                .map(|_| {
                    seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                    seed >> 20
                })
                .collect();
            let mut wanted: Vec<(u32, usize)> = list.iter().copied().zip(0..).collect();
            wanted.sort_by_key(|(value, _)| value / 10);
            assert_eq!(sorted(&list), wanted, "{length}");
        }
    }

    #[test]
    fn takes_about_as_many_comparisons_as_it_must() {
        let count = |list: Vec<u32>| {
            let (mut list, seen) = (list, std::cell::Cell::new(0_usize));
            let gt = |a: &u32, b: &u32| {
                seen.set(seen.get() + 1);
                Ok::<_, ()>(a > b)
            };
            try_sort_by_gt(&mut list, gt).unwrap();
            assert!(list.is_sorted());
            seen.get()
        };
        let mixed = (0..100_000_u32).map(|n| n.wrapping_mul(2_654_435_761)).collect();
        assert!(count(mixed) < 100_000 * 22);
        assert!(count((0..100_000).collect()) < 300_000);
    }

    #[test]
    fn a_comparison_that_fails_leaves_the_list_alone() {
        let mut list: Vec<u32> = (0..100).rev().collect();
        let before = list.clone();
        assert!(try_sort_by_gt(&mut list, |a, b| if *a == 50 { Err(()) } else { Ok(a > b) }).is_err());
        assert_eq!(list, before);
    }
}
