//! Which node leads to which, by number: what the cycle rules, the Problems list and the layout share.

use std::collections::VecDeque;

/// A directed graph over the numbers `0..len`. Everything on it is linear and none of it recurses, so a flow of
/// ten thousand nodes in a row is as safe as one of ten.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) next: Vec<Vec<usize>>,
}

impl Graph {
    /// Edges to or from numbers that do not exist are left out.
    pub(crate) fn new(len: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut next = vec![Vec::new(); len];
        for (from, to) in edges {
            if let (true, Some(list)) = (to < len, next.get_mut(from)) {
                list.push(to);
            }
        }
        Self { next }
    }

    pub(crate) fn len(&self) -> usize {
        self.next.len()
    }

    fn after(&self, node: usize) -> &[usize] {
        self.next.get(node).map_or(&[], Vec::as_slice)
    }

    /// Every number that can be reached from `starts`, themselves included.
    pub(crate) fn reachable(&self, starts: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut open: Vec<usize> = starts.into_iter().collect();
        while let Some(node) = open.pop() {
            match seen.get_mut(node) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            open.extend(self.after(node));
        }
        seen
    }

    /// The shortest way from one to the other, both included.
    pub(crate) fn way(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut came_from: Vec<Option<usize>> = vec![None; self.len()];
        let mut open = VecDeque::from([from]);
        while let Some(node) = open.pop_front() {
            if node == to {
                let mut way = vec![to];
                let mut at = to;
                while at != from {
                    at = came_from.get(at).copied().flatten()?;
                    way.push(at);
                }
                way.reverse();
                return Some(way);
            }
            for &next in self.after(node) {
                if next != from && came_from[next].is_none() {
                    came_from[next] = Some(node);
                    open.push_back(next);
                }
            }
        }
        None
    }

    /// Longest-path layers after Kahn, in the order nodes are first found; nodes that only cycles lead to come
    /// after all others, each in a layer of its own.
    pub(crate) fn layers(&self) -> Vec<Vec<usize>> {
        let mut waiting = vec![0usize; self.len()];
        for &to in self.next.iter().flatten() {
            waiting[to] += 1;
        }
        let mut layer: Vec<Option<usize>> = vec![None; self.len()];
        let mut found: Vec<usize> = (0..self.len()).filter(|&node| waiting[node] == 0).collect();
        for &node in &found {
            layer[node] = Some(0);
        }
        // A node takes its place among its layer when it is first reached, even if a cycle then keeps it waiting.
        let mut order = found.clone();
        let mut done = 0;
        while let Some(&node) = found.get(done) {
            done += 1;
            let after = layer[node].unwrap_or_default() + 1;
            for &to in self.after(node) {
                if layer[to].is_none() {
                    order.push(to);
                }
                layer[to] = layer[to].max(Some(after));
                waiting[to] -= 1;
                if waiting[to] == 0 {
                    found.push(to);
                }
            }
        }
        let deepest = layer.iter().flatten().max().map_or(0, |deepest| deepest + 1);
        let mut layers = vec![Vec::new(); deepest];
        for node in order {
            if let Some(list) = layer[node].and_then(|layer| layers.get_mut(layer)) {
                list.push(node);
            }
        }
        layers.extend(
            (0..self.len())
                .filter(|&node| layer[node].is_none())
                .map(|node| vec![node]),
        );
        layers
    }

    /// The groups of nodes that lead to each other: each list is a cycle or several that touch. Single nodes count
    /// only when they lead to themselves. Tarjan's algorithm with its own stack.
    pub(crate) fn cycles(&self) -> Vec<Vec<usize>> {
        const NEW: usize = usize::MAX;
        let mut number = vec![NEW; self.len()];
        let mut low = vec![0; self.len()];
        let mut on_path = vec![false; self.len()];
        let (mut path, mut count, mut cycles) = (Vec::new(), 0, Vec::new());
        for root in 0..self.len() {
            if number[root] != NEW {
                continue;
            }
            let mut calls = vec![(root, 0)];
            while let Some((node, child)) = calls.pop() {
                if child == 0 {
                    number[node] = count;
                    low[node] = count;
                    count += 1;
                    path.push(node);
                    on_path[node] = true;
                }
                match self.after(node).get(child) {
                    Some(&to) => {
                        calls.push((node, child + 1));
                        if number[to] == NEW {
                            calls.push((to, 0));
                        } else if on_path[to] {
                            low[node] = low[node].min(number[to]);
                        }
                    }
                    None => {
                        if let Some(&(parent, _)) = calls.last() {
                            low[parent] = low[parent].min(low[node]);
                        }
                        if low[node] == number[node] {
                            let start = path.iter().rposition(|&one| one == node).unwrap_or_default();
                            let mut members = path.split_off(start);
                            for &member in &members {
                                on_path[member] = false;
                            }
                            if members.len() > 1 || self.after(node).contains(&node) {
                                members.sort_unstable();
                                cycles.push(members);
                            }
                        }
                    }
                }
            }
        }
        cycles.sort_unstable();
        cycles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_longest_paths() {
        let graph = Graph::new(5, [(0, 1), (1, 2), (0, 2), (3, 2), (9, 0), (0, 9)]);
        assert_eq!(graph.layers(), [vec![0, 3, 4], vec![1], vec![2]]);
    }

    #[test]
    fn nodes_that_only_a_cycle_leads_to_come_last() {
        let graph = Graph::new(4, [(0, 1), (2, 3), (3, 2)]);
        assert_eq!(graph.layers(), [vec![0], vec![1], vec![2], vec![3]]);
        let entered = Graph::new(3, [(0, 1), (1, 2), (2, 1)]);
        assert_eq!(entered.layers(), [vec![0], vec![1], vec![2]]);
    }

    #[test]
    fn finds_cycles_and_no_others() {
        let graph = Graph::new(
            7,
            [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 4), (5, 6), (6, 3)],
        );
        assert_eq!(graph.cycles(), [vec![0, 1, 2], vec![4]]);
        assert_eq!(
            graph.reachable([5]),
            [false, false, false, true, true, true, true]
        );
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let long = 200_000;
        let graph = Graph::new(long, (0..long).map(|node| (node, (node + 1) % long)));
        assert_eq!(graph.cycles().len(), 1);
        assert_eq!(graph.layers().len(), long);
    }
}
