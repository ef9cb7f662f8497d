import { makeComponent } from "@/api/code";
import { refreshComponent } from "@/api/components";
import { ApiError } from "@/api/error";
import { nodeCode } from "@/flow/nodeCode";
import { randomId } from "@/flow/edit/apply";
import { lostWires, recoded } from "@/flow/edit/recoded";
import { getAt } from "@/flow/edit/values";
import { isRecord, recordOr, type JsonRecord } from "@/flow/json";
import type { Point } from "@/flow/model";
import { CUSTOM_TYPE } from "@/flow/palette";
import { edit, select, settleStep } from "./actions";
import { type Anywhere, freePlace, pasteShift } from "./boxes";
import { keepDraft } from "./codeDrafts";
import { openCode } from "./codeOpen";
import type { Editor } from "./state";

export interface SavedCode {
  node: string;
  /** Wires that no longer fit and are gone, in words. */
  lost: string[];
  /** Why what follows from the fields' values could not be worked out. */
  failure: unknown;
}

/** The component of the palette that has this code. */
function listedWith(editor: Editor, code: string): JsonRecord | null {
  const { byType } = editor.getState().registry;
  return [...byType.values()].find(({ node }) => codeIn(node) === code)?.node ?? null;
}

function codeIn(component: JsonRecord): string | null {
  return nodeCode({ data: { node: component } });
}

function locked(): ApiError {
  return new ApiError({ status: -1, code: "locked", detail: "" });
}

function componentOf(editor: Editor, node: string): JsonRecord | null {
  const component = getAt(editor.getState().flow.byId.get(node)?.raw, ["data", "node"]);
  return isRecord(component) ? component : null;
}

/** Has the server make a component of the code, and gives it to the node; a node that is gone comes back as a new one. */
export async function saveCode(editor: Editor, node: string, code: string, signal: AbortSignal): Promise<SavedCode> {
  const sent = componentOf(editor, node);
  const made = await makeComponent(code, sent ?? undefined, signal);
  // What was set meanwhile counts.
  const old = componentOf(editor, node);
  if (!old) return { node: putNode(editor, made, code, null), lost: [], failure: null };
  const { component, deciding } = recoded(old, withCode(made.component, code), sent ?? old);
  const { component: whole, failure } = await decided(made.type, component, deciding);
  signal.throwIfAborted();
  const { flow } = editor.getState();
  settleStep(editor);
  const edited = listedWith(editor, code) === null;
  const outcome = edit(editor, { op: "recode", node, component: { ...whole, edited }, type: made.type }, { quiet: true });
  settleStep(editor);
  if (!outcome) throw locked();
  if (!outcome.ok) throw new ApiError({ status: -1, code: "refused", detail: outcome.refusal.message });
  return { node, lost: lostWires(flow, editor.getState().flow, node), failure };
}

/** Fields that follow from what is set in others. */
async function decided(
  type: string,
  component: JsonRecord,
  deciding: readonly string[],
): Promise<{ component: JsonRecord; failure: unknown }> {
  let now = component;
  try {
    for (const field of deciding)
      now = await refreshComponent({ type, node: now, field, value: recordOr(recordOr(now.template)[field]).value });
    return { component: now, failure: null };
  } catch (failure) {
    return { component: now, failure };
  }
}

function withCode(component: JsonRecord, code: string): JsonRecord {
  const template = recordOr(component.template);
  return { ...component, template: { ...template, code: { ...recordOr(template.code), value: code } } };
}

/** Makes a node of the source of a component. */
export async function addCode(editor: Editor, code: string, at: Point | null): Promise<string> {
  return putNode(editor, await makeComponent(code), code, at);
}

function putNode(
  editor: Editor,
  made: { type: string; component: JsonRecord },
  code: string,
  at: Point | null,
): string {
  const id = `${made.type || CUSTOM_TYPE}-${randomId()}`;
  const node = { ...withCode(made.component, code), edited: listedWith(editor, code) === null };
  const data = { id, type: made.type || CUSTOM_TYPE, node, showNode: true };
  const raw: JsonRecord = { id, type: "genericNode", position: { x: 0, y: 0 }, selected: false, data };
  const { x, y } = pasteShift(editor.getState(), [raw], at);
  const outcome = edit(editor, { op: "paste", nodes: [raw], edges: [], dx: x, dy: y }, { quiet: true });
  const [added] = outcome?.ok ? outcome.nodes : [];
  if (added === undefined) throw locked();
  select(editor, [added]);
  return added;
}

/** A custom node whose code is the text, not saved yet, open to be mended; false where there are no such nodes. */
export function mendCode(editor: Editor, code: string, at: Point | Anywhere): boolean {
  const state = editor.getState();
  if (!state.registry.byType.has(CUSTOM_TYPE)) return false;
  const id = `${CUSTOM_TYPE}-${randomId()}`;
  const outcome = edit(editor, { op: "add", type: CUSTOM_TYPE, id, ...freePlace(state, CUSTOM_TYPE, at) });
  if (!outcome?.ok) return false;
  keepDraft(state.flowId, id, code);
  select(editor, [id]);
  openCode(id);
  return true;
}
