import { apply, type Outcome } from "@/flow/edit/apply";
import type { FlowDocument } from "@/flow/edit/document";
import type { Edit } from "@/flow/edit/edits";
import { redo as redoStep, remember, settle, type Stepped, undo as undoStep } from "@/flow/edit/history";
import { joinPatches, type Patch } from "@/flow/edit/patch";
import type { Refusal } from "@/flow/edit/refusal";
import type { Registry } from "@/flow/edit/registry";
import { contextOf, drawn, type Editor, type EditorState, NONE, type Step } from "./state";

type Listener = (refusal: Refusal) => void;
type Changed = (editor: Editor, nodes: readonly string[]) => void;

const refusals = new Set<Listener>();
const changes = new Set<Changed>();

/** Called with the reason whenever an edit was refused. */
export function onRefusal(listener: Listener): () => void {
  refusals.add(listener);
  return () => refusals.delete(listener);
}

/** Called after every change, with the nodes it touched. */
export function onChange(listener: Changed): () => void {
  changes.add(listener);
  return () => changes.delete(listener);
}

export function refuse(refusal: Refusal): void {
  for (const listener of refusals) listener(refusal);
}

/** Changes the flow; a refused edit changes nothing and says why. */
export function edit(editor: Editor, wanted: Edit, { quiet = false } = {}): Outcome | null {
  const state = editor.getState();
  if (state.locked) return null;
  const outcome = apply(state.document, wanted, contextOf(state));
  if (!outcome.ok) {
    if (!quiet) refuse(outcome.refusal);
    return outcome;
  }
  if (outcome.patch.changes.length === 0) return outcome;
  const history = remember(state.history, wanted, outcome.patch, Date.now());
  const joins = history.done.length <= state.history.done.length && history.done.length > 0;
  const steps = withStep(state, { op: wanted.op, patch: outcome.patch }, joins);
  show(editor, outcome, { history, steps });
  return outcome;
}

/** Draws what was done, and tells whoever listens. */
export function show(
  editor: Editor,
  { document, patch }: { document: FlowDocument; patch: Patch },
  more: Partial<EditorState>,
): void {
  editor.setState({ ...drawn(editor.getState(), document), ...more });
  tell(editor, patch.changes);
}

/** Letters typed one after the other are one step here too, unless they are on their way already. */
function withStep(state: EditorState, step: Step, joins: boolean): readonly Step[] {
  const last = state.steps.at(-1);
  if (!joins || !last || last.op !== step.op || state.steps.length <= state.sealed)
    return [...state.steps, step];
  return [...state.steps.slice(0, -1), { ...last, patch: joinPatches(last.patch, step.patch) }];
}

function tell(editor: Editor, made: readonly { change: string; node?: string; item?: unknown }[]): void {
  const nodes = new Set<string>();
  for (const change of made) {
    if (change.node !== undefined && !("path" in change && isLook(change.path))) nodes.add(change.node);
    const item = change.item as { target?: unknown } | undefined;
    if (typeof item?.target === "string") nodes.add(item.target);
  }
  for (const listener of changes) listener(editor, [...nodes]);
}

const LOOKS: ReadonlySet<string> = new Set(["display_name", "description", "showNode", "width", "height", "measured"]);

/** Where something stands, how large it is and what it is called do not matter to what it does. */
function isLook(path: unknown): boolean {
  if (!Array.isArray(path)) return false;
  const [first, ...more] = path.map(String);
  const key = first === "data" ? (more[0] === "node" ? more[1] : more[0]) : first;
  return key === "position" || (key !== undefined && LOOKS.has(key));
}

/** Ends the undo step under way: a field was left, a node was let go. */
export function settleStep(editor: Editor): void {
  const { history } = editor.getState();
  const settled = settle(history);
  if (settled !== history) editor.setState({ history: settled });
}

export function undo(editor: Editor): boolean {
  return step(editor, undoStep);
}

export function redo(editor: Editor): boolean {
  return step(editor, redoStep);
}

function step(editor: Editor, take: typeof undoStep): boolean {
  const state = editor.getState();
  if (state.locked) return false;
  const stepped: Stepped | null = take(state.history, state.document);
  if (!stepped) return false;
  if (!stepped.ok) {
    editor.setState({ history: stepped.history });
    refuse(stepped.refusal);
    return false;
  }
  show(editor, stepped, {
    history: stepped.history,
    steps: [...state.steps, { op: stepped.entry.op, patch: stepped.patch }],
    remote: state.remote + 1,
  });
  return true;
}

export function select(editor: Editor, ids: Iterable<string>, wire: string | null = null): void {
  const state = editor.getState();
  const selection = new Set(ids);
  const same =
    selection.size === state.selection.size && [...selection].every((id) => state.selection.has(id));
  if (same && wire === state.wire) return;
  editor.setState({ selection: same ? state.selection : selection.size === 0 ? NONE : selection, wire });
}

export function selectAll(editor: Editor): void {
  select(editor, editor.getState().flow.nodes.map((node) => node.id));
}

/** Shows all fields of a card, or the first few. */
export function toggleOpen(editor: Editor, id: string): void {
  const state = editor.getState();
  const open = new Set(state.open);
  if (!open.delete(id)) open.add(id);
  editor.setState(drawn(state, state.document, open));
}

export function setRegistry(editor: Editor, registry: Registry): void {
  editor.setState({ registry });
}

export function setLocked(editor: Editor, locked: boolean): void {
  if (editor.getState().unreadable === null) editor.setState({ locked });
}

/** Removes what is selected: nodes with their wires, or one wire. */
export function removeSelected(editor: Editor): void {
  const { selection, wire } = editor.getState();
  if (selection.size > 0)
    edit(editor, { op: "batch", edits: [...selection].map((node) => ({ op: "remove", node })) });
  else if (wire !== null) edit(editor, { op: "cut", wire });
}
