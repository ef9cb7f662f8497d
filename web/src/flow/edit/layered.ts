import type { Point } from "../model";
import type { LayoutFunction, LayoutTask } from "./arrange";

const ACROSS = 120;
const DOWN = 48;
const SWEEPS = 4;

/**
 * Columns from left to right: a node stands right of everything that leads to it; within a column near what it is wired
 * to. Wires that lead back, as loops have them, do not count. Parts that nothing joins stand beneath each other.
 */
export const layered: LayoutFunction = (task) => {
  const places = new Map<string, Point>();
  let top = 0;
  for (const part of parts(task)) {
    const height = placePart(part, top, places);
    top += height + DOWN * 2;
  }
  return places;
};

function parts({ nodes, wires }: LayoutTask): LayoutTask[] {
  const root = new Map(nodes.map(({ id }) => [id, id]));
  const find = (id: string): string => {
    let at = id;
    while (root.get(at) !== at) at = root.get(at) ?? at;
    root.set(id, at);
    return at;
  };
  for (const { source, target } of wires) root.set(find(source), find(target));
  const groups = new Map<string, LayoutTask>();
  for (const node of nodes) {
    const own = find(node.id);
    const group = groups.get(own) ?? { nodes: [], wires: [] };
    group.nodes.push(node);
    groups.set(own, group);
  }
  for (const wire of wires) groups.get(find(wire.source))?.wires.push(wire);
  return [...groups.values()];
}

function placePart({ nodes, wires }: LayoutTask, top: number, places: Map<string, Point>): number {
  const forward = withoutCycles(nodes.map(({ id }) => id), wires);
  const rank = ranks(nodes.map(({ id }) => id), forward);
  const size = new Map(nodes.map((node) => [node.id, node]));
  const columns: string[][] = [];
  for (const { id } of nodes) (columns[rank.get(id) ?? 0] ??= []).push(id);
  order(columns, forward);
  const heights = columns.map((column) =>
    column.reduce((sum, id) => sum + (size.get(id)?.height ?? 0) + DOWN, -DOWN),
  );
  const tallest = Math.max(...heights);
  let x = 0;
  columns.forEach((column, index) => {
    let y = top + (tallest - (heights[index] ?? 0)) / 2;
    for (const id of column) {
      places.set(id, { x: Math.round(x), y: Math.round(y) });
      y += (size.get(id)?.height ?? 0) + DOWN;
    }
    x += Math.max(...column.map((id) => size.get(id)?.width ?? 0)) + ACROSS;
  });
  return tallest;
}

type Wires = LayoutTask["wires"];

/** Leaves out the wires that close a cycle, found by walking from the first node on. */
function withoutCycles(ids: readonly string[], wires: Wires): Wires {
  const after = new Map<string, string[]>();
  for (const { source, target } of wires) after.set(source, [...(after.get(source) ?? []), target]);
  const done = new Set<string>();
  const open = new Set<string>();
  const back = new Set<string>();
  const entered = new Set(wires.map(({ target }) => target));
  const starts = [...ids.filter((id) => !entered.has(id)), ...ids];
  for (const start of starts) {
    if (done.has(start)) continue;
    const stack: { id: string; next: number }[] = [{ id: start, next: 0 }];
    open.add(start);
    for (let at = stack.at(-1); at; at = stack.at(-1)) {
      const target = after.get(at.id)?.[at.next];
      at.next += 1;
      if (target === undefined) {
        open.delete(at.id);
        done.add(at.id);
        stack.pop();
      } else if (open.has(target)) back.add(`${at.id}\n${target}`);
      else if (!done.has(target)) {
        open.add(target);
        stack.push({ id: target, next: 0 });
      }
    }
  }
  return wires.filter(({ source, target }) => !back.has(`${source}\n${target}`));
}

/** The longest way from a start, so that wires lead to the right. */
function ranks(ids: readonly string[], wires: Wires): Map<string, number> {
  const rank = new Map(ids.map((id) => [id, 0]));
  const waits = new Map(ids.map((id) => [id, 0]));
  for (const { target } of wires) waits.set(target, (waits.get(target) ?? 0) + 1);
  const ready = ids.filter((id) => waits.get(id) === 0);
  for (const id of ready) {
    for (const { target } of wires.filter(({ source }) => source === id)) {
      rank.set(target, Math.max(rank.get(target) ?? 0, (rank.get(id) ?? 0) + 1));
      const left = (waits.get(target) ?? 0) - 1;
      waits.set(target, left);
      if (left === 0) ready.push(target);
    }
  }
  // A source stands next to what it feeds, not far to the left of it.
  for (const id of ready.toReversed()) {
    const targets = wires.filter(({ source }) => source === id).map(({ target }) => rank.get(target) ?? 0);
    if (targets.length > 0) rank.set(id, Math.min(...targets) - 1);
  }
  return rank;
}

/** Sorts columns by the middle of their neighbours, to and fro. */
function order(columns: string[][], wires: Wires): void {
  const neighbours = new Map<string, string[]>();
  for (const { source, target } of wires) {
    neighbours.set(source, [...(neighbours.get(source) ?? []), target]);
    neighbours.set(target, [...(neighbours.get(target) ?? []), source]);
  }
  const place = new Map<string, number>();
  const note = (column: readonly string[]): void =>
    column.forEach((id, index) => place.set(id, (index + 0.5) / column.length));
  columns.forEach(note);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const sequence = sweep % 2 === 0 ? columns : columns.toReversed();
    for (const column of sequence) {
      const middle = new Map(
        column.map((id) => {
          const around = (neighbours.get(id) ?? []).filter((other) => !column.includes(other));
          const sum = around.reduce((total, other) => total + (place.get(other) ?? 0), 0);
          return [id, around.length > 0 ? sum / around.length : (place.get(id) ?? 0)];
        }),
      );
      column.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
      note(column);
    }
  }
}
