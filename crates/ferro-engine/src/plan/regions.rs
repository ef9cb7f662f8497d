//! Which nodes run again and again: the bodies of loops, and cycles that a router ends.
//!
//! Regions nest like boxes. A node is in exactly one innermost region, and a region is gone through one round at
//! a time, so a run needs one state per node, not one per node and round.

use super::{Plan, PlanError, Region, RegionKind, Route};

const MAX_DEPTH: usize = 32;

pub(super) fn find(plan: &mut Plan) -> Result<(), PlanError> {
    let count = plan.nodes.len();
    plan.regions.push(Region {
        parent: 0,
        kind: RegionKind::Whole,
        nodes: Vec::new(),
        all_nodes: (0..index(count)).collect(),
        inner: Vec::new(),
        cycles: Vec::new(),
        exits: Vec::new(),
        depth: 0,
    });
    loops(plan)?;
    cycles(plan)?;
    for node in 0..count {
        let region = plan.nodes[node].region;
        plan.regions[region as usize].nodes.push(index(node));
    }
    for region in 1..plan.regions.len() {
        let mut outer = region;
        while outer != 0 {
            outer = plan.regions[outer].parent as usize;
            plan.regions[outer].inner.push(index(region));
        }
        if matches!(plan.regions[region].kind, RegionKind::Cycle(_)) {
            let parent = plan.regions[region].parent;
            plan.regions[parent as usize].cycles.push(index(region));
        }
    }
    routes(plan);
    Ok(())
}

fn index(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The bodies of loops: what hangs on `item`, but not on the loop's other outputs.
fn loops(plan: &mut Plan) -> Result<(), PlanError> {
    let mut bodies: Vec<(u32, Vec<u32>)> = Vec::new();
    for node in 0..index(plan.nodes.len()) {
        let Some(item) = plan.nodes[node as usize].loop_output.clone() else {
            continue;
        };
        let is_item = |wire: u32| plan.wires[wire as usize].output == item;
        let inside = reach(plan, node, is_item);
        let outside = reach(plan, node, |wire| !is_item(wire));
        let body: Vec<u32> = (0..index(plan.nodes.len()))
            .filter(|&other| inside[other as usize] && !outside[other as usize] && other != node)
            .collect();
        if !body.is_empty() {
            bodies.push((node, body));
        }
    }
    // Outermost first: a region's parent is then known before it.
    bodies.sort_by_key(|(_, body)| std::cmp::Reverse(body.len()));
    for (node, body) in bodies {
        let parent = plan.nodes[node as usize].region;
        if let Some(&stray) = body
            .iter()
            .find(|&&other| plan.nodes[other as usize].region != parent)
        {
            let other = match plan.regions[plan.nodes[stray as usize].region as usize].kind {
                RegionKind::Loop(other) => other,
                _ => stray,
            };
            let name = |at: u32| plan.nodes[at as usize].id.to_string();
            return Err(PlanError::OverlappingLoops(name(node), name(other)));
        }
        let region = add(plan, parent, RegionKind::Loop(node), &body)?;
        plan.nodes[node as usize].body = Some(region);
    }
    Ok(())
}

/// Nodes after `from` by wires that `first` allows for the first step; wires into loop ports are not followed.
fn reach(plan: &Plan, from: u32, first: impl Fn(u32) -> bool) -> Vec<bool> {
    let mut seen = vec![false; plan.nodes.len()];
    let mut open = Vec::new();
    let visit = |wire: u32, seen: &mut Vec<bool>, open: &mut Vec<u32>| {
        let wire = &plan.wires[wire as usize];
        if wire.route != Route::Feedback
            && wire.to != from
            && !std::mem::replace(&mut seen[wire.to as usize], true)
        {
            open.push(wire.to);
        }
    };
    for &wire in plan.nodes[from as usize].outs.iter().filter(|&&wire| first(wire)) {
        visit(wire, &mut seen, &mut open);
    }
    while let Some(node) = open.pop() {
        for &wire in &plan.nodes[node as usize].outs {
            visit(wire, &mut seen, &mut open);
        }
    }
    seen
}

fn add(plan: &mut Plan, parent: u32, kind: RegionKind, nodes: &[u32]) -> Result<u32, PlanError> {
    let depth = plan.regions[parent as usize].depth + 1;
    if depth > MAX_DEPTH {
        return Err(PlanError::TooDeep(MAX_DEPTH));
    }
    let region = index(plan.regions.len());
    for &node in nodes {
        plan.nodes[node as usize].region = region;
    }
    plan.regions.push(Region {
        parent,
        kind,
        nodes: Vec::new(),
        all_nodes: nodes.to_vec(),
        inner: Vec::new(),
        cycles: Vec::new(),
        exits: Vec::new(),
        depth,
    });
    Ok(region)
}

/// Cycles within each region, and cycles within those once the way back to their entry is set aside.
fn cycles(plan: &mut Plan) -> Result<(), PlanError> {
    let mut open: Vec<u32> = (0..index(plan.regions.len())).collect();
    let mut marks = vec![Mark::default(); plan.nodes.len()];
    while let Some(region) = open.pop() {
        let members: Vec<u32> = plan.regions[region as usize]
            .all_nodes
            .iter()
            .copied()
            .filter(|&node| plan.nodes[node as usize].region == region)
            .collect();
        for component in components(plan, region, &members, &mut marks) {
            // A component that is not here may well choose among its outputs.
            let ends = |&node: &u32| {
                plan.nodes[node as usize]
                    .entry
                    .as_ref()
                    .map_or(true, |entry| entry.descriptor.routes)
            };
            if !component.iter().any(ends) {
                let names = component
                    .iter()
                    .map(|&node| plan.nodes[node as usize].id.to_string());
                return Err(PlanError::EndlessCycle(names.collect()));
            }
            let inside = |node: u32| component.binary_search(&node).is_ok();
            let from_outside = |&&node: &&u32| {
                let ins = &plan.nodes[node as usize].ins;
                ins.iter().any(|&wire| !inside(plan.wires[wire as usize].from))
            };
            let entry = *component.iter().find(from_outside).unwrap_or(&component[0]);
            // Bodies of loops inside the cycle go along with it.
            let mut all = component.clone();
            for &node in &component {
                if let Some(body) = plan.nodes[node as usize].body {
                    plan.regions[body as usize].parent = index(plan.regions.len());
                    all.extend(plan.regions[body as usize].all_nodes.clone());
                }
            }
            let cycle = add(plan, region, RegionKind::Cycle(entry), &component)?;
            all.sort_unstable();
            for wire in plan.nodes[entry as usize].ins.clone() {
                let wire = &mut plan.wires[wire as usize];
                if wire.route == Route::Plain && all.binary_search(&wire.from).is_ok() {
                    wire.route = Route::Back;
                }
            }
            plan.regions[cycle as usize].all_nodes = all;
            open.push(cycle);
        }
    }
    depths(plan)
}

fn depths(plan: &mut Plan) -> Result<(), PlanError> {
    for region in 1..plan.regions.len() {
        let (mut depth, mut at) = (0, region);
        while at != 0 {
            depth += 1;
            at = plan.regions[at].parent as usize;
            if depth > MAX_DEPTH {
                return Err(PlanError::TooDeep(MAX_DEPTH));
            }
        }
        plan.regions[region].depth = depth;
    }
    Ok(())
}

/// What Tarjan's search knows of a node.
#[derive(Clone, Copy)]
struct Mark {
    order: u32,
    low: u32,
    on_stack: bool,
}

const NEW: u32 = u32::MAX;

impl Default for Mark {
    fn default() -> Self {
        Self {
            order: NEW,
            low: 0,
            on_stack: false,
        }
    }
}

/// Strongly connected sets of more than one node, or of one that is wired to itself; each sorted. Tarjan's way,
/// without recursion: a flow may be a chain of thousands.
fn components(plan: &Plan, region: u32, members: &[u32], marks: &mut [Mark]) -> Vec<Vec<u32>> {
    for &member in members {
        marks[member as usize] = Mark::default();
    }
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0_u32);
    let follow = |node: u32, place: usize| -> Option<Option<u32>> {
        let wire = *plan.nodes[node as usize].outs.get(place)?;
        let wire = &plan.wires[wire as usize];
        let stays = wire.route == Route::Plain && plan.nodes[wire.to as usize].region == region;
        Some(stays.then_some(wire.to))
    };
    for &root in members {
        if marks[root as usize].order != NEW {
            continue;
        }
        let mut calls = vec![(root, 0_usize)];
        while let Some(&mut (node, ref mut place)) = calls.last_mut() {
            if *place == 0 {
                marks[node as usize].order = next;
                marks[node as usize].low = next;
                next += 1;
                stack.push(node);
                marks[node as usize].on_stack = true;
            }
            match follow(node, *place) {
                Some(target) => {
                    *place += 1;
                    let Some(target) = target else { continue };
                    if marks[target as usize].order == NEW {
                        calls.push((target, 0));
                    } else if marks[target as usize].on_stack {
                        marks[node as usize].low = marks[node as usize].low.min(marks[target as usize].order);
                    }
                }
                None => {
                    calls.pop();
                    if let Some(&(above, _)) = calls.last() {
                        marks[above as usize].low = marks[above as usize].low.min(marks[node as usize].low);
                    }
                    if marks[node as usize].low == marks[node as usize].order {
                        let mut set = Vec::new();
                        while let Some(member) = stack.pop() {
                            marks[member as usize].on_stack = false;
                            set.push(member);
                            if member == node {
                                break;
                            }
                        }
                        set.sort_unstable();
                        found.push(set);
                    }
                }
            }
        }
    }
    let wired_to_itself = |node: u32| {
        let outs = &plan.nodes[node as usize].outs;
        outs.iter().any(|&wire| {
            plan.wires[wire as usize].to == node && plan.wires[wire as usize].route == Route::Plain
        })
    };
    found.retain(|set| set.len() > 1 || wired_to_itself(set[0]));
    found.sort();
    found
}

/// How each wire crosses the boxes.
fn routes(plan: &mut Plan) {
    for at in 0..plan.wires.len() {
        let wire = &plan.wires[at];
        if wire.route != Route::Plain {
            continue;
        }
        let (source, target) = (&plan.nodes[wire.from as usize], &plan.nodes[wire.to as usize]);
        let is_item = source.loop_output.as_ref() == Some(&wire.output);
        if let Some(body) = source
            .body
            .filter(|&body| is_item && encloses(plan, body, target.region))
        {
            debug_assert!(body > 0);
            plan.wires[at].route = Route::Item;
            continue;
        }
        if encloses(plan, source.region, target.region) {
            continue;
        }
        let mut left = source.region;
        while !encloses(plan, plan.regions[left as usize].parent, target.region) {
            left = plan.regions[left as usize].parent;
        }
        plan.wires[at].route = Route::Exit(left);
        plan.regions[left as usize].exits.push(index(at));
    }
}

/// `inner` is `outer` or somewhere inside it.
fn encloses(plan: &Plan, outer: u32, inner: u32) -> bool {
    let mut at = inner;
    loop {
        if at == outer {
            return true;
        }
        if at == 0 {
            return false;
        }
        at = plan.regions[at as usize].parent;
    }
}
