import { refreshComponent } from "@/api/components";
import { runsOwnCode } from "@/flow/ownCode";
import { randomId } from "@/flow/edit/apply";
import { alignEdit, type Alignment, type Axis, distributeEdit, layoutEdit } from "@/flow/edit/arrange";
import { copyText, type PasteReason, readClipboard } from "@/flow/edit/clipboard";
import type { Edit } from "@/flow/edit/edits";
import { layered } from "@/flow/edit/layered";
import { getAt } from "@/flow/edit/values";
import { isRecord, recordOr, type JsonRecord } from "@/flow/json";
import type { Point } from "@/flow/model";
import { CUSTOM_TYPE } from "@/flow/palette";
import { promptProblem, promptVariables } from "@/flow/values/prompts";
import { edit, select, settleStep } from "./actions";
import { type Anywhere, boxes, freePlace, notePlace, pasteShift } from "./boxes";
import { openCode } from "./codeOpen";
import { type Editor, NONE } from "./state";

/** One end of a wire: a node and the name of its port. */
export interface End {
  node: string;
  port: string;
}

function chooseNew(editor: Editor, outcome: ReturnType<typeof edit>): string[] {
  if (!outcome?.ok || outcome.nodes.length === 0) return [];
  select(editor, outcome.nodes);
  return outcome.nodes;
}

/** Puts a component at a free place near `at`, wired to `from` if asked; null when it was refused. */
export function addComponent(
  editor: Editor,
  type: string,
  at: Point | Anywhere,
  wired?: { from: End; side: "in" | "out"; port: string },
): string | null {
  const state = editor.getState();
  const place = freePlace(state, type, at, wired?.side);
  if (!wired) return opened(type, chooseNew(editor, edit(editor, { op: "add", type, ...place }))[0] ?? null);
  const id = `${type}-${randomId()}`;
  const own: End = { node: id, port: wired.port };
  const [source, target] = wired.side === "out" ? [wired.from, own] : [own, wired.from];
  const both: Edit = {
    op: "batch",
    edits: [{ op: "add", type, id, ...place }, ...connecting(editor, source, target)],
  };
  return opened(type, chooseNew(editor, edit(editor, both))[0] ?? null);
}

/** A component that is still to be written opens at once. */
function opened(type: string, id: string | null): string | null {
  if (type === CUSTOM_TYPE && id !== null) openCode(id);
  return id;
}

/** The edits that draw a wire; one that takes the only place at an input gives way. */
function connecting(editor: Editor, from: End, to: End): Edit[] {
  const wire: Edit = { op: "connect", source: from.node, output: from.port, target: to.node, input: to.port };
  const other = occupant(editor, to);
  return other === null ? [wire] : [{ op: "cut", wire: other }, wire];
}

function occupant(editor: Editor, to: End): string | null {
  const { flow } = editor.getState();
  const node = flow.byId.get(to.node);
  if (node?.kind !== "component") return null;
  const field = node.fields.find(({ name }) => name === to.port);
  if (!field || field.list) return null;
  const wires = flow.wiresOf.get(to.node) ?? [];
  return wires.find((wire) => wire.target === to.node && wire.targetPort === `in:${to.port}`)?.id ?? null;
}

export function connectPorts(editor: Editor, from: End, to: End): boolean {
  const edits = connecting(editor, from, to);
  const [only] = edits;
  const outcome = edit(editor, edits.length === 1 && only ? only : { op: "batch", edits });
  return outcome?.ok === true;
}

/** Leads an existing wire to another port. */
export function reconnect(editor: Editor, wire: string, from: End, to: End): void {
  const other = occupant(editor, to);
  const cuts: Edit[] = other !== null && other !== wire ? [{ op: "cut", wire: other }] : [];
  const connect: Edit = {
    op: "connect",
    source: from.node,
    output: from.port,
    target: to.node,
    input: to.port,
  };
  edit(editor, { op: "batch", edits: [{ op: "cut", wire }, ...cuts, connect] });
}

export function addNote(editor: Editor, at: Point): string | null {
  return chooseNew(editor, edit(editor, { op: "note", text: "", ...notePlace(editor.getState(), at) }))[0] ?? null;
}

export function duplicateSelected(editor: Editor): void {
  const state = editor.getState();
  const nodes = [...state.selection];
  if (nodes.length === 0) return;
  const raws = nodes.flatMap((id): JsonRecord[] => {
    const raw = state.flow.byId.get(id)?.raw;
    return raw ? [raw] : [];
  });
  const { x, y } = pasteShift(state, raws, null);
  chooseNew(editor, edit(editor, { op: "duplicate", nodes, dx: x, dy: y }));
}

/** What is selected, as text for the clipboard; null when nothing is. */
export function copySelected(editor: Editor): { text: string; nodes: number; secrets: number } | null {
  const { document, selection } = editor.getState();
  return selection.size === 0 ? null : copyText(document, selection);
}

/** Puts nodes from text on the canvas; the reason when there are none in it. */
export function pasteText(editor: Editor, source: string, at: Point | null): PasteReason | null {
  const pasted = readClipboard(source);
  if (!pasted.ok) return pasted.reason;
  const { nodes, edges } = pasted;
  const { x, y } = pasteShift(editor.getState(), nodes, at);
  chooseNew(editor, edit(editor, { op: "paste", nodes, edges, dx: x, dy: y }));
  return null;
}

export function groupSelected(editor: Editor, name: string): void {
  const { selection, flow } = editor.getState();
  // A note that was caught along stays where it is.
  const nodes = flow.nodes
    .filter((node) => selection.has(node.id) && node.kind !== "note")
    .map((node) => node.id);
  if (nodes.length > 0) chooseNew(editor, edit(editor, { op: "group", nodes, name }));
}

export function ungroupSelected(editor: Editor): void {
  const { selection, flow } = editor.getState();
  const groups = [...selection].filter((id) => {
    const node = flow.byId.get(id);
    return node?.kind === "component" && node.group !== null;
  });
  if (groups.length === 0) return;
  chooseNew(editor, edit(editor, { op: "batch", edits: groups.map((node) => ({ op: "ungroup", node })) }));
}

export function alignSelected(editor: Editor, how: Alignment): void {
  const state = editor.getState();
  const wanted = alignEdit(boxes(state, state.selection), how);
  if (wanted) edit(editor, wanted);
}

export function distributeSelected(editor: Editor, axis: Axis): void {
  const state = editor.getState();
  const wanted = distributeEdit(boxes(state, state.selection), axis);
  if (wanted) edit(editor, wanted);
}

/** Lays the flow out from left to right. */
export async function arrange(editor: Editor): Promise<void> {
  const state = editor.getState();
  const wanted = await layoutEdit(state.document, boxes(state), layered);
  if (wanted) edit(editor, wanted);
}

export function moveNodes(editor: Editor, moves: readonly { node: string; x: number; y: number }[]): void {
  if (moves.length === 0) return;
  edit(editor, { op: "move", moves: moves.map(({ node, x, y }) => ({ node, x, y })) });
  settleStep(editor);
}

/** Puts another component in the place of a node: what both have, values and wires, stays. */
export function replaceNode(editor: Editor, id: string, type: string): void {
  const { flow, registry } = editor.getState();
  const node = flow.byId.get(id);
  const found = registry.byType.get(type);
  if (node?.kind !== "component" || !found) return;
  const own = `${type}-${randomId()}`;
  const fields = new Set(found.fields.map((field) => field.name));
  const values: JsonRecord = Object.fromEntries(
    node.fields
      .filter((field) => fields.has(field.name) && field.variable === null && field.kind !== "code")
      .filter((field) => field.value !== undefined && field.value !== null && field.value !== "")
      .map((field) => [field.name, field.value]),
  );
  const whole: Edit[] = [
    { op: "add", type, id: own, ...node.position },
    ...(Object.keys(values).length > 0 ? [{ op: "configure" as const, node: own, values }] : []),
    { op: "remove", node: id },
  ];
  const made = edit(editor, { op: "batch", edits: whole });
  if (!made?.ok) return;
  // Wires one by one: those that do not fit the new component are left out, the others stay.
  for (const wire of flow.wiresOf.get(id) ?? []) {
    const [output, input] = [wire.sourcePort, wire.targetPort].map((port) => port.slice(port.indexOf(":") + 1));
    const first = found.outputs[0]?.name ?? "";
    const known = found.outputs.some(({ name }) => name === output);
    const outgoing = wire.source === id;
    edit(
      editor,
      {
        op: "connect",
        source: outgoing ? own : wire.source,
        output: (outgoing && !known ? first : output) ?? "",
        target: outgoing ? wire.target : own,
        input: input ?? "",
      },
      { quiet: true },
    );
  }
  select(editor, [own]);
}

const waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; abort: AbortController }>();
const REFRESH_PAUSE = 300;

/** Sets a literal; a field that changes its node has the server work the node out again. */
export function setField(
  editor: Editor,
  node: string,
  field: string,
  value: unknown,
  beside?: JsonRecord,
): void {
  const literal: Edit = { op: "configure", node, values: { [field]: value } };
  const outcome = edit(
    editor,
    beside ? { op: "batch", edits: [literal, { op: "entry", node, field, keys: beside }] } : literal,
  );
  if (!outcome?.ok) return;
  if (rawField(editor, node, field).real_time_refresh === true) refreshSoon(editor, node, field, value);
}

export function setVariable(editor: Editor, node: string, field: string, name: string): void {
  edit(editor, { op: "variable", node, field, name });
}

export function rawField(editor: Editor, node: string, field: string): JsonRecord {
  const raw = editor.getState().flow.byId.get(node)?.raw;
  return recordOr(getAt(raw, ["data", "node", "template", field]));
}

function refreshSoon(editor: Editor, node: string, field: string, value: unknown): void {
  const key = `${editor.getState().flowId} ${node}`;
  const before = waiting.get(key);
  if (before) {
    clearTimeout(before.timer);
    before.abort.abort();
  }
  const abort = new AbortController();
  const timer = setTimeout(() => {
    void refreshNode(editor, node, field, value, abort.signal).finally(() => {
      if (waiting.get(key)?.abort === abort) waiting.delete(key);
    });
  }, REFRESH_PAUSE);
  waiting.set(key, { timer, abort });
}

let onFailure: (error: unknown, node: string) => void = () => {};

/** Who shows that a node could not be worked out again. */
export function onRefreshFailure(listener: (error: unknown, node: string) => void): void {
  onFailure = listener;
}

/** Has the server say what a node looks like now, and takes it over. */
export async function refreshNode(
  editor: Editor,
  node: string,
  field: string,
  value: unknown = rawField(editor, node, field).value,
  signal?: AbortSignal,
  make: typeof edit = edit,
): Promise<void> {
  const { flow } = editor.getState();
  const known = flow.byId.get(node);
  const component = getAt(known?.raw, ["data", "node"]);
  if (known?.kind !== "component" || !isRecord(component)) return;
  editor.setState((state) => ({ refreshing: new Set([...state.refreshing, node]) }));
  try {
    const answer = await refreshComponent({
      type: known.type,
      node: component,
      field,
      value,
      ...(signal ? { signal } : {}),
    });
    if (!signal?.aborted) make(editor, { op: "refresh", node, component: withTyped(editor, node, component, answer) });
  } catch (error) {
    if (!signal?.aborted) onFailure(error, node);
  } finally {
    editor.setState((state) => {
      const left = new Set([...state.refreshing].filter((id) => id !== node));
      return { refreshing: left.size === 0 ? NONE : left };
    });
  }
}

/** What was set in the node while the server was working stays. */
function withTyped(editor: Editor, node: string, sent: JsonRecord, answer: JsonRecord): JsonRecord {
  const now = getAt(editor.getState().flow.byId.get(node)?.raw, ["data", "node", "template"]);
  const then = recordOr(sent.template);
  const template = recordOr(answer.template);
  if (!isRecord(now) || now === then) return answer;
  const kept = Object.entries(template).map(([name, entry]) => {
    const own = recordOr(now[name]);
    const changed = isRecord(entry) && own.value !== recordOr(then[name]).value;
    // Where a file lies belongs to its name.
    const path = "file_path" in own ? { file_path: own.file_path } : {};
    return [name, changed ? { ...entry, value: own.value, ...path } : entry] as const;
  });
  return { ...answer, template: Object.fromEntries(kept) };
}

/** Prompts that were left before the server had made inputs of their variables, by closing the page for instance. */
export function refreshPrompts(editor: Editor): void {
  for (const node of editor.getState().flow.nodes) {
    const component = getAt(node.raw, ["data", "node"]);
    if (!isRecord(component) || !isRecord(component.custom_fields)) continue;
    for (const [field, entry] of Object.entries(recordOr(component.template))) {
      if (!isRecord(entry) || entry.type !== "prompt" || typeof entry.value !== "string") continue;
      const unknown = !(field in component.custom_fields) && promptVariables(entry.value, false).length > 0;
      if (unknown && promptProblem(entry.value, false) === null) void refreshNode(editor, node.id, field);
    }
  }
}

export async function setToolMode(editor: Editor, node: string, on: boolean): Promise<void> {
  // The palette does not know the outputs of a component that people wrote: the server asks its code.
  const { flow, registry } = editor.getState();
  const known = flow.byId.get(node);
  if (!on && known && runsOwnCode(known, registry)) return refreshNode(editor, node, "tool_mode", on);
  const outcome = edit(editor, { op: "tool_mode", node, on });
  // The server knows the names and descriptions of the tools that it offers then.
  if (outcome?.ok && on) await refreshNode(editor, node, "tool_mode", on);
}
