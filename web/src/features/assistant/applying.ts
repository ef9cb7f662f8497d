import i18next from "i18next";
import type { EditorCanvasHandle } from "@/canvas/EditorCanvas";
import { apply, randomId } from "@/flow/edit/apply";
import { type FlowDocument, nodesOf } from "@/flow/edit/document";
import type { Edit } from "@/flow/edit/edits";
import { refusal } from "@/flow/edit/refusal";
import { spoken } from "@/flow/edit/spoken";
import { turnChanges } from "@/flow/edit/turns";
import { getAt } from "@/flow/edit/values";
import { isRecord, recordOr, text, type JsonRecord } from "@/flow/json";
import { refuse } from "@/stores/editor/actions";
import { rawField, refreshNode } from "@/stores/editor/commands";
import { contextOf, type Editor } from "@/stores/editor/state";
import { editInTurn, hasTurn, keptTurn, undoTurn } from "@/stores/editor/turns";
import { showToast } from "@/ui/toasts";
import { editFor, fieldEdit, type Made } from "./model/changes";
import { additionTo } from "./model/merge";
import { setting, TEMPLATE, wholeFlow } from "./model/settings";
import type { FieldEdit, FlowUpdate } from "./model/types";

/** Whether the canvas took something; if not, why, in words for people. */
export type Applied = { ok: true; nodes: readonly string[] } | { ok: false; problem: string };

/** The part of the canvas that is moved after a whole flow came. */
export type CanvasView = Pick<EditorCanvasHandle, "fit">;

/** One change of a turn; all of a message are one step of undo. A whole flow is shown as a whole. */
export function applyUpdate(
  editor: Editor,
  message: string,
  update: FlowUpdate,
  canvas: CanvasView | null = null,
): Applied {
  const state = editor.getState();
  const applied = make(editor, message, editFor(state.document, update, contextOf(state)));
  if (applied.ok && update.action === "set_flow") fitSoon(canvas);
  return applied;
}

function make(editor: Editor, turn: string, made: Made): Applied {
  if (editor.getState().locked) return { ok: false, problem: i18next.t("assistant.review.locked") };
  if ("problem" in made) return { ok: false, problem: inWords(editor, made.problem) };
  const outcome = editInTurn(editor, turn, made.edit, { quiet: true });
  if (!outcome?.ok) return { ok: false, problem: inWords(editor, outcome?.refusal.message ?? "") };
  const came = outcome.patch.changes.flatMap((change) => (change.change === "insert_node" ? [text(change.item.id)] : []));
  return { ok: true, nodes: came };
}

function inWords(editor: Editor, message: string): string {
  return spoken({ code: "malformed", message, params: {} }, editor.getState().flow);
}

/** Every time that a proposal is taken is a step of its own. */
const proposalTurns = (message: string): string => `${message}/proposal/`;

/** Nodes that were not there before, by step. */
const came = new WeakMap<Editor, Map<string, readonly string[]>>();

function cameWith(editor: Editor): Map<string, readonly string[]> {
  const known = came.get(editor) ?? new Map<string, readonly string[]>();
  came.set(editor, known);
  return known;
}

/** Takes a proposed flow with what was done to it since, as a step of undo of its own, and shows all of it. */
export function applyProposal(
  editor: Editor,
  canvas: CanvasView | null,
  proposal: { message: string; mode: "add" | "replace"; flow: JsonRecord; tail: readonly FlowUpdate[] },
): Applied {
  const whole = withTail(proposal.flow, proposal.tail);
  const turn = proposalTurns(proposal.message) + randomId();
  const { byId } = editor.getState().flow;
  const applied = make(editor, turn, whole === null ? noFlow(proposal.flow) : taking(editor, whole, proposal.mode));
  if (applied.ok) {
    const nodes = proposal.mode === "add" ? applied.nodes : nodesOf(whole ?? {}).map((node) => text(node.id));
    cameWith(editor).set(turn, nodes.filter((id) => !byId.has(id)));
    fitSoon(canvas);
  }
  return applied;
}

function noFlow(flow: JsonRecord): Made {
  const opened = wholeFlow(flow);
  return { problem: opened.ok ? refusal("malformed").message : opened.reason };
}

function taking(editor: Editor, whole: FlowDocument, mode: "add" | "replace"): Made {
  if (mode === "replace") return { edit: { op: "set_flow", data: whole } };
  const addition = additionTo(editor.getState().document, whole);
  return addition ? { edit: addition.edit } : { problem: refusal("malformed").message };
}

/** A proposed flow with what was done to it after it was proposed, as far as that fits; null when it is no flow. */
export function withTail(flow: JsonRecord, tail: readonly FlowUpdate[]): FlowDocument | null {
  const opened = wholeFlow(flow);
  if (!opened.ok) return null;
  return tail.reduce((document, update) => {
    const made = editFor(document, update);
    const outcome = "edit" in made ? apply(document, made.edit) : null;
    return outcome?.ok ? outcome.document : document;
  }, opened.document);
}

/** Once what came is drawn: React needs one frame for it, and the canvas another. */
function fitSoon(canvas: CanvasView | null): void {
  if (canvas) requestAnimationFrame(() => requestAnimationFrame(() => canvas.fit()));
}

/**
 * Takes back what taking the proposal did last; false when that has to stay. Also in a later visit of the flow, as long
 * as it is a step that can be undone; when it is none any more that is said.
 */
export function revertProposal(editor: Editor, message: string): boolean {
  const { history, flow } = editor.getState();
  const ofThis = (turn = ""): boolean => turn.startsWith(proposalTurns(message));
  const last = history.done.findLast(({ turn }) => ofThis(turn))?.turn;
  if (last !== undefined) return undoTurn(editor, last);
  // Undone by hand.
  if (history.undone.some(({ turn }) => ofThis(turn))) return true;
  const known = [...cameWith(editor)].filter(([turn]) => ofThis(turn));
  // So long ago that it is a step no more.
  const left = known.flatMap(([, nodes]) => nodes).find((id) => flow.byId.has(id));
  if (left !== undefined) {
    refuse(refusal("built_on", { node: left }));
    return false;
  }
  if (known.length === 0) showToast({ message: i18next.t("assistant.review.noStep") });
  return true;
}

/**
 * What tools a node offers is not told with the turn that made it one: the server is asked, as it is when a person does
 * so. Only once the turn is over, or it would take it for a change of somebody else.
 */
export async function fillTools(editor: Editor, message: string): Promise<void> {
  const { history, flow } = editor.getState();
  const { added, changed } = turnChanges(history, message);
  const bare = [...added, ...changed].filter((id) => {
    const { tool_mode, template } = recordOr(getAt(flow.byId.get(id)?.raw, ["data", "node"]));
    const { value } = recordOr(recordOr(template).tools_metadata);
    return tool_mode === true && Array.isArray(value) && value.length === 0;
  });
  const take = (node: string) => (one: Editor, wanted: Edit) => {
    const raw = one.getState().flow.byId.get(node)?.raw;
    const turn = [message, keptTurn(message)].find((of) => hasTurn(one, of));
    const still = getAt(raw, ["data", "node", "tool_mode"]) === true;
    if (wanted.op !== "refresh" || !raw || !still || turn === undefined) return null;
    const tools = getAt(wanted.component, ["template", "tools_metadata"]);
    const changes = isRecord(tools) ? setting(raw, [...TEMPLATE, "tools_metadata"], tools) : [];
    return editInTurn(one, turn, { op: "patch", changes }, { quiet: true });
  };
  await Promise.all(bare.map((node) => refreshNode(editor, node, "tool_mode", true, undefined, take(node))));
}

let together: string | null = null;

/** Edits that are agreed to at one go are one step. */
function atOnce(): string {
  if (together === null) {
    together = randomId();
    queueMicrotask(() => {
      together = null;
    });
  }
  return together;
}

/** Sets the field of an edit that was agreed to. */
export function applyEdit(editor: Editor, message: string, edit: FieldEdit): Applied {
  const turn = `${message}/edits/${atOnce()}`;
  const applied = make(editor, turn, fieldEdit(editor.getState().document, edit));
  const { real_time_refresh, type } = rawField(editor, edit.componentId, edit.field);
  // Prompts have their fields already; whatever else follows from the value, the server knows.
  const follows = real_time_refresh === true && !["prompt", "mustache"].includes(text(type));
  if (applied.ok && follows) {
    const joined = (one: Editor, wanted: Edit) => (hasTurn(one, turn) ? editInTurn(one, turn, wanted, { quiet: true }) : null);
    void refreshNode(editor, edit.componentId, edit.field, undefined, undefined, joined);
  }
  return applied;
}
