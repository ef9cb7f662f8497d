import { apply, type Outcome } from "@/flow/edit/apply";
import type { Edit } from "@/flow/edit/edits";
import { rememberInTurn, takeBack } from "@/flow/edit/turns";
import { refuse, show } from "./actions";
import { contextOf, type Editor } from "./state";

/**
 * Changes the flow as `edit` does, for somebody else than the person: all edits of a turn are one step of undo, however
 * far apart, and also when the person did something in between that has nothing to do with them.
 */
export function editInTurn(editor: Editor, turn: string, wanted: Edit, { quiet = false } = {}): Outcome | null {
  const state = editor.getState();
  if (state.locked) return null;
  const outcome = apply(state.document, wanted, contextOf(state));
  if (!outcome.ok) {
    if (!quiet) refuse(outcome.refusal);
    return outcome;
  }
  const { patch } = outcome;
  if (patch.changes.length === 0) return outcome;
  const { op } = wanted;
  show(editor, outcome, {
    history: rememberInTurn(state.history, turn, { op, patch, at: Date.now() }),
    steps: [...state.steps, { op, patch }],
    // Nobody typed it, so fields that are open take it over.
    remote: state.remote + 1,
  });
  return outcome;
}

/** Takes a whole turn back; false when there is nothing of it, or when what was done since stands on it. */
export function undoTurn(editor: Editor, turn: string): boolean {
  const state = editor.getState();
  if (state.locked) return false;
  const taken = takeBack(state.history, turn, state.document);
  if (!taken) return false;
  if (!taken.ok) {
    refuse(taken.refusal);
    return false;
  }
  const { history, patch } = taken;
  show(editor, taken, { history, steps: [...state.steps, { op: "patch", patch }], remote: state.remote + 1 });
  return true;
}

/** What becomes of a turn that was looked at and kept. */
export function keptTurn(turn: string): string {
  return `${turn}/kept`;
}

/** What the turn did so far is fine: it stays a step of its own, and whatever the turn still does begins another. */
export function keepTurn(editor: Editor, turn: string): void {
  const { history } = editor.getState();
  const done = history.done.map((entry) => (entry.turn === turn ? { ...entry, turn: keptTurn(turn) } : entry));
  editor.setState({ history: { ...history, done } });
}

/** Whether something of the turn can be taken back. */
export function hasTurn(editor: Editor, turn: string): boolean {
  return editor.getState().history.done.some((entry) => entry.turn === turn);
}
