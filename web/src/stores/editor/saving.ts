import { ApiError, asApiError } from "@/api/error";
import { createFlow, currentOf, etagOf, flowKeys, saveDocument, type TaggedFlow } from "@/api/flows";
import { queryClient } from "@/api/queryClient";
import type { FlowDocument as Written, FlowRead } from "@/api/types";
import { createVersion } from "@/api/versions";
import { apply } from "@/flow/edit/apply";
import { type FlowDocument, openDocument } from "@/flow/edit/document";
import { mergeSteps } from "@/flow/edit/merge";
import { sameJson } from "@/flow/edit/values";
import { isTaken } from "@/flow/edit/taken";
import { openForEditing } from "./open";
import { drawn, type Editor, type EditorState, type Step } from "./state";
import { keepHistory, keepPending, keptHistory, onSavedElsewhere, takePending, tellSaved } from "./storage";

/** How long a pause is before a change goes to the server, and the longest that it waits. */
const PAUSE = 700;
const LONGEST = 4000;
const RETRY = { first: 2000, most: 30_000 };

const running = new WeakMap<Editor, Promise<boolean>>();

/** Saves changes as they come, until the returned function is called; that saves what is left. */
export function startSaving(editor: Editor, onMerged: (count: number) => void): () => void {
  const { flowId } = editor.getState();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since: number | null = null;
  let retry = RETRY.first;

  const later = (pause: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void go(), pause);
  };
  const go = async (): Promise<void> => {
    since = null;
    await flush(editor, onMerged);
    const { saving, steps } = editor.getState();
    if (saving.kind === "failed" && again(saving.error)) {
      later(retry);
      retry = Math.min(RETRY.most, retry * 2);
    } else if (saving.kind === "saved") {
      retry = RETRY.first;
      if (steps.length > 0) later(PAUSE);
    }
  };
  const stop = editor.subscribe((state, before) => {
    if (state.steps === before.steps) return;
    remember(state);
    if (state.steps.length === 0 || state.saving.kind === "conflict") return;
    if (state.saving.kind === "saved") editor.setState({ saving: { kind: "waiting" } });
    since ??= Date.now();
    later(Math.max(0, Math.min(PAUSE, since + LONGEST - Date.now())));
  });
  const leave = (): void => rememberAll(editor.getState());
  const online = (): void => void (editor.getState().steps.length > 0 && go());
  const hidden = (): void => {
    leave();
    if (document.visibilityState === "hidden" && editor.getState().steps.length > 0) void go();
  };
  const stopHearing = onSavedElsewhere(flowId, (revision) => {
    if (revision > editor.getState().base.revision)
      void queryClient.invalidateQueries({ queryKey: flowKeys.one(flowId) });
  });
  const close = openForEditing(flowId, () => flush(editor, onMerged));
  window.addEventListener("pagehide", leave);
  window.addEventListener("online", online);
  document.addEventListener("visibilitychange", hidden);
  return () => {
    stop();
    clearTimeout(timer);
    window.removeEventListener("pagehide", leave);
    window.removeEventListener("online", online);
    document.removeEventListener("visibilitychange", hidden);
    stopHearing();
    close();
    leave();
    if (editor.getState().steps.length > 0) void flush(editor, onMerged);
  };
}

function again(error: unknown): boolean {
  const { status } = asApiError(error);
  return status === 0 || status === 429 || status >= 500;
}

function remember({ flowId, base, steps }: EditorState): void {
  keepPending(flowId, { revision: base.revision, steps: [...steps], at: Date.now() });
}

function rememberAll(state: EditorState): void {
  remember(state);
  keepHistory(state.flowId, state.document, state.history);
}

/** Sends what the server does not have yet; true when it has everything. */
export async function flush(editor: Editor, onMerged: (count: number) => void = () => {}): Promise<boolean> {
  for (let round = 0; round < 5; round += 1) {
    // Several may wait for the same one; only the first of them may go next.
    for (let under = running.get(editor); under; under = running.get(editor)) await under;
    const { steps, saving } = editor.getState();
    if (saving.kind === "conflict") return false;
    if (steps.length === 0) return true;
    const task = save(editor, onMerged).finally(() => running.delete(editor));
    running.set(editor, task);
    if (!(await task)) return false;
  }
  return editor.getState().steps.length === 0;
}

/** One attempt. True also after a merge, which leaves something to send. */
async function save(editor: Editor, onMerged: (count: number) => void): Promise<boolean> {
  const { flowId, document, base, steps } = editor.getState();
  editor.setState({ saving: { kind: "saving" }, sealed: steps.length });
  try {
    const revision = await saveDocument(flowId, document as Written, base.revision);
    const left = editor.getState().steps.slice(steps.length);
    editor.setState({
      base: { document, revision },
      steps: left,
      sealed: 0,
      saving: left.length === 0 ? { kind: "saved", at: Date.now() } : { kind: "waiting" },
    });
    rememberAll(editor.getState());
    share(flowId, document, revision);
    return true;
  } catch (error) {
    editor.setState({ sealed: 0 });
    const theirs = currentOf(error);
    if (theirs) return take(editor, theirs, onMerged);
    editor.setState({ saving: { kind: "failed", error } });
    return false;
  }
}

/** Others on this page see the revision that their next write must name. */
function share(flowId: string, document: FlowDocument, revision: number): void {
  queryClient.setQueryData<TaggedFlow>(flowKeys.one(flowId), (known) =>
    known && known.flow.revision < revision
      ? { flow: { ...known.flow, data: document as Written, revision }, etag: etagOf(revision) }
      : known,
  );
  void queryClient.invalidateQueries({ queryKey: flowKeys.lists, refetchType: "none" });
  tellSaved(flowId, revision);
}

/** Takes over what was made elsewhere, with the changes from here on top; false when they do not go together. */
function take(editor: Editor, theirs: FlowRead, onMerged: (count: number) => void): boolean {
  const state = editor.getState();
  const opened = openDocument(theirs.data ?? {});
  const document = opened.ok ? opened.document : {};
  const merged = mergeSteps<Step>(state.base.document, document, state.steps);
  if (merged.conflicts.length > 0) {
    const { steps, conflicts } = merged;
    const conflict = { theirs, merged: merged.document, steps, conflicts };
    editor.setState({ saving: { kind: "conflict", conflict } });
    return false;
  }
  const same = sameJson(state.base.document, document);
  adopt(editor, theirs, merged.document, merged.steps);
  // A new name or the like is not worth a word: the drawing is the same.
  if (!same) onMerged(merged.steps.length);
  return true;
}

function adopt(editor: Editor, theirs: FlowRead, document: FlowDocument, steps: readonly Step[]): void {
  const state = editor.getState();
  const opened = openDocument(theirs.data ?? {});
  editor.setState({
    ...drawn(state, document),
    base: { document: opened.ok ? opened.document : {}, revision: theirs.revision },
    steps,
    sealed: 0,
    remote: state.remote + 1,
    locked: theirs.locked === true,
    saving: steps.length === 0 ? { kind: "saved", at: Date.now() } : { kind: "waiting" },
  });
  queryClient.setQueryData<TaggedFlow>(flowKeys.one(theirs.id), {
    flow: theirs,
    etag: etagOf(theirs.revision),
  });
}

/** The page has read the flow again; what is newer than here is taken over. */
export function receive(editor: Editor, flow: FlowRead, onMerged: (count: number) => void): void {
  const { base, saving } = editor.getState();
  if (flow.revision <= base.revision || saving.kind === "saving" || saving.kind === "conflict") return;
  take(editor, flow, onMerged);
}

/**
 * Has the server put a whole other document in place, such as a version; false when what is here cannot be saved first.
 * Nothing is saved meanwhile, and what is changed meanwhile comes on top. `put` gets the revision that it takes the place
 * of, and is called again when somebody else has changed that one.
 */
export async function replaceDraft(
  editor: Editor,
  put: (revision: number) => Promise<FlowRead>,
  onMerged: (count: number) => void = () => {},
): Promise<boolean> {
  for (let round = 0; round < 5; round += 1) {
    if (!(await flush(editor, onMerged))) return false;
    if (running.has(editor) || editor.getState().steps.length > 0) continue;
    const task = replace(editor, put, onMerged);
    const over = task.then(() => true, () => false).finally(() => running.delete(editor));
    running.set(editor, over);
    if (await task) return true;
  }
  return false;
}

/** One attempt; false when somebody else was faster. */
async function replace(
  editor: Editor,
  put: (revision: number) => Promise<FlowRead>,
  onMerged: (count: number) => void,
): Promise<boolean> {
  const { base, saving } = editor.getState();
  editor.setState({ saving: { kind: "saving" } });
  try {
    const flow = await put(base.revision);
    const opened = openDocument(flow.data ?? {});
    if (editor.getState().steps.length > 0) take(editor, flow, onMerged);
    else adopt(editor, flow, opened.ok ? opened.document : {}, []);
    return true;
  } catch (error) {
    editor.setState({ saving: editor.getState().steps.length > 0 ? { kind: "waiting" } : saving });
    const theirs = currentOf(error);
    if (!theirs) throw error;
    take(editor, theirs, onMerged);
    return false;
  }
}

/**
 * `mine`: what is here wins, and theirs is kept as a version. `theirs`: theirs, with what fits. `copy`: as `theirs`, and
 * what is here becomes a flow of its own, whose id is returned.
 */
export async function resolveConflict(
  editor: Editor,
  choice: "mine" | "theirs" | "copy",
  names: { version: string; copy: string },
): Promise<string | null> {
  const { saving, document, flowId } = editor.getState();
  if (saving.kind !== "conflict") return null;
  const { theirs, merged, steps } = saving.conflict;
  if (choice === "mine") {
    await createVersion(flowId, names.version);
    const opened = openDocument(theirs.data ?? {});
    const base = { document: opened.ok ? opened.document : {}, revision: theirs.revision };
    editor.setState({ base, saving: { kind: "waiting" } });
    await flush(editor);
    return null;
  }
  const copy =
    choice === "copy"
      ? await createFlow({ name: names.copy, folder_id: theirs.folder_id ?? null, data: document as Written })
      : null;
  adopt(editor, theirs, merged, steps);
  await flush(editor);
  return copy?.id ?? null;
}

/** Brings back the undo history of this tab, and changes that a crash kept from being saved. */
export function recover(editor: Editor): { restored: number; lost: number } {
  const { flowId } = editor.getState();
  let restored = 0;
  let lost = 0;
  for (const pending of takePending(flowId, Date.now())) {
    for (const step of pending.steps) {
      const state = editor.getState();
      const outcome = apply(state.document, { op: "patch", ...step.patch });
      if (!outcome.ok) {
        if (!isTaken(state.document, step.patch)) lost += 1;
        continue;
      }
      if (outcome.patch.changes.length === 0) continue;
      restored += 1;
      editor.setState({
        ...drawn(state, outcome.document),
        steps: [...state.steps, { op: step.op, patch: outcome.patch }],
      });
    }
  }
  const { document } = editor.getState();
  editor.setState({ history: keptHistory(flowId, document) });
  return { restored, lost };
}

/** Why saving failed in a way that trying again will not mend. */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiError && !again(error);
}
