import i18next from "i18next";
import { createStore, type StoreApi } from "zustand";
import { assistantConfigQuery, count, type FeedbackName, resetSession, streamTurn } from "@/api/assistant";
import { asApiError, notSaved } from "@/api/error";
import { queryClient } from "@/api/queryClient";
import { sessionQuery } from "@/api/session";
import type { EditorCanvasHandle } from "@/canvas/EditorCanvas";
import { randomId } from "@/flow/edit/apply";
import { whenLeft } from "@/stores/editor/open";
import { flush } from "@/stores/editor/saving";
import type { Editor } from "@/stores/editor/state";
import { oncePerFrame } from "@/stores/frames";
import { attachNewestRun } from "@/stores/run";
import { showToast } from "@/ui/toasts";
import { type Applied, applyEdit, applyProposal, applyUpdate, revertProposal } from "./applying";
import { bodyOf, failureOf, joined } from "./exchange";
import { parseChoice, pickModel } from "./input/models";
import { useSavedChoice } from "./input/useModelChoice";
import { readEvent } from "./model/events";
import { rememberInput } from "./model/history";
import { KEYS, newSessionId } from "./model/protocol";
import { initialState, reduce } from "./model/reduce";
import { keptSession, storeSession } from "./model/sessions";
import {
  claim,
  isForeign,
  keepLimit,
  keepSkipAll,
  keptHistoryLimit,
  keptIterationsLimit,
  keptSkipAll,
  readKept,
} from "./model/storage";
import type { Action, AssistEvent, ChatState, Effect, Failure, FlowUpdate, Message, ModelChoice, SendIds, TurnRequest } from "./model/types";
import { fillToolsAfterwards } from "./toolsAfterwards";

/** The page a conversation works on. */
export interface Around {
  editor: Editor;
  /** Null while the canvas is not shown. */
  canvas: () => EditorCanvasHandle | null;
  onMerged: (count: number) => void;
}

export interface Held {
  state: ChatState;
  /** What is written and not sent. */
  draft: string;
}

export interface Chat {
  readonly store: StoreApi<Held>;
  dispatch: (action: Action) => void;
  /** Says where what it does is done from now on. */
  enter: (around: Around) => void;
  /** Null when the flow's page was left. */
  around: () => Around | null;
  /** Ends the turn under way; what has come so far stays. */
  stop: () => void;
  /** Keeps what is not kept yet: the page may be gone in a moment. */
  rest: () => void;
  /** It is kept as it is, and nothing happens in it any more. */
  end: () => void;
}

/** Whoever was about to leave the page and is still here then has changed their mind. */
const STAYED_MS = 3000;

/** So many conversations stay at hand whose pages were left; all are in the list of what is kept. */
const AT_HAND = 5;

const chats = new Map<string, Chat>();
/** The flows whose pages were left, the first of them first. */
const left = new Set<string>();
/** Whose conversations these are. */
let owner: string | null = null;

/** The conversation about a flow: it outlives the panel, and ends with the visit. */
export function chatOf(flowId: string): Chat {
  followOwner();
  left.delete(flowId);
  const known = chats.get(flowId);
  if (known) return known;
  const made = createChat(flowId);
  chats.set(flowId, made);
  return made;
}

function forget(flowId: string): void {
  chats.get(flowId)?.end();
  chats.delete(flowId);
  left.delete(flowId);
}

/** The visit is over. */
export function forgetAll(): void {
  for (const flowId of chats.keys()) forget(flowId);
}

function isBegun({ store }: Chat): boolean {
  return store.getState().state.messages.length > 0;
}

/** What nobody would miss goes at once, and of the others those that were left first. */
function leave(flowId: string, chat: Chat): void {
  left.delete(flowId);
  left.add(flowId);
  if (signedIn() === null || (!isBegun(chat) && chat.store.getState().draft === "")) forget(flowId);
  for (const oldest of [...left].slice(0, -AT_HAND)) forget(oldest);
}

/** Null: nobody is; undefined: nobody has asked yet. */
function signedIn(): string | null | undefined {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  return session && (session.user?.id ?? null);
}

/** What one person said and chose is nothing for the next one at the same browser. */
function followOwner(): void {
  const user = signedIn();
  if (user === null) for (const flowId of left) forget(flowId);
  if (!user) return;
  const other = user !== owner;
  if (other) forgetAll();
  owner = user;
  if (claim(user) || other) useSavedChoice.setState({ saved: parseChoice(readKept(KEYS.model)) });
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === "updated" && query.queryKey[0] === sessionQuery.queryKey[0]) followOwner();
});

window.addEventListener("pagehide", () => {
  for (const chat of chats.values()) chat.rest();
});

export function sendIds(): SendIds {
  const id = `${Date.now().toString(36)}${randomId()}`;
  return { person: `${id}-person`, answer: `${id}-answer`, turn: `${id}-turn` };
}

/** Who is asked, if anybody. */
export function chosenModel(): ModelChoice | null {
  return pickModel(queryClient.getQueryData(assistantConfigQuery.queryKey) ?? null, useSavedChoice.getState().saved).model;
}

function createChat(flowId: string): Chat {
  const store = createStore<Held>(() => ({
    draft: "",
    state: initialState({
      flowId,
      sessionId: newSessionId(),
      skipAll: keptSkipAll(),
      historyLimit: keptHistoryLimit(),
      iterationsLimit: keptIterationsLimit(),
    }),
  }));
  const streams = new Map<string, { control: AbortController; deliver: () => void }>();
  const waiting: Action[] = [];
  let around: Around | null = null;
  let entered = false;
  let over = false;
  let busy = false;
  const person = owner;
  /** What was said as it was last kept or read: another tab may have gone on with it since. */
  let kept: readonly Message[] | null = null;
  /** The message whose changes did not all fit; said once. */
  let told: string | null = null;

  const dispatch = (...actions: Action[]): void => {
    if (over) return;
    waiting.push(...actions);
    // What an effect has to say comes after the effects beside it.
    if (busy) return;
    busy = true;
    try {
      for (let action = waiting.shift(); action; action = waiting.shift()) {
        const before = store.getState().state;
        const { state, effects } = reduce(before, action);
        if (state !== before) store.setState({ state });
        for (const effect of effects) attempt(effect);
        if (action.type === "loadSession" && state !== before) kept = state.messages;
      }
    } finally {
      busy = false;
    }
  };

  /** One that fails must not take the others with it. */
  const attempt = (effect: Effect): void => {
    try {
      perform(effect);
    } catch (error) {
      warn(error);
    }
  };

  const perform = (effect: Effect): void => {
    switch (effect.do) {
      case "stream":
        void stream(effect.turn, effect.request);
        return;
      case "abort":
        streams.get(effect.turn)?.control.abort();
        return;
      case "apply":
        if (effect.update.action === "flow_ran") void attachNewestRun(flowId).catch(() => {});
        else applied(effect.message, effect.update);
        return;
      case "applyProposal": {
        const { message, mode, flow, tail } = effect;
        const done = here((page) => applyProposal(page.editor, page.canvas(), { message, mode, flow, tail }));
        told = null;
        tell(message, done);
        dispatch({ type: "proposalApplied", message, mode, ok: done.ok });
        return;
      }
      case "revertProposal":
        if (around && revertProposal(around.editor, effect.message))
          dispatch({ type: "proposalReverted", message: effect.message });
        return;
      case "applyEdit": {
        const done = here((page) => applyEdit(page.editor, effect.message, effect.edit));
        tell(effect.message, done);
        if (!done.ok) dispatch({ type: "editFailed", message: effect.message, edit: effect.edit.id });
        return;
      }
      case "resetSession":
        resetSession(effect.sessionId).catch(warn);
        return;
      case "later":
        setTimeout(() => dispatch(effect.action), effect.ms);
        return;
      case "keep":
        if (isForeign(person)) return;
        if (effect.what === "session") keepTalk(effect.of ?? store.getState().state);
        else keepChoice(effect.what, store.getState().state);
        return;
      case "remember":
        if (!isForeign(person)) rememberInput(effect.text);
        return;
      case "count":
        count(effect.name as FeedbackName, store.getState().state.sessionId);
        return;
      case "warn":
        warn(effect.text);
    }
  };

  const applied = (message: string, update: FlowUpdate): void => {
    const done = here((page) => applyUpdate(page.editor, message, update, page.canvas()));
    tell(message, done);
    if (!done.ok) dispatch({ type: "notApplied", message, update });
  };

  const here = (apply: (page: Around) => Applied): Applied =>
    around ? apply(around) : { ok: false, problem: i18next.t("assistant.panel.pageLeft") };

  const tell = (message: string, done: Applied): void => {
    // Whoever left the page knows that it was left.
    if (done.ok || told === message || !around) return;
    told = message;
    showToast({ tone: "error", message: i18next.t("assistant.panel.notApplied"), detail: done.problem });
  };

  const stream = async (turn: string, request: TurnRequest): Promise<void> => {
    const control = new AbortController();
    const frames = oncePerFrame<AssistEvent>((events) =>
      dispatch(...joined(events).map((event): Action => ({ type: "event", turn, event }))),
    );
    streams.set(turn, { control, deliver: frames.flush });
    const hear = (texts: string[]): void => {
      const events = texts.flatMap((text) => {
        const read = readEvent(text);
        if ("event" in read) return [read.event];
        warn(read.warning);
        return [];
      });
      frames.add(events);
    };
    // A page that goes away loses its connections before it is hidden; that is no fault of the server's.
    let going = false;
    const unload = (): void => {
      going = true;
      setTimeout(() => (going = false), STAYED_MS);
    };
    window.addEventListener("beforeunload", unload);
    // Unless it was complete, in which case nobody listens any more.
    let failure: Failure = { message: i18next.t("assistant.panel.endedEarly"), detail: null };
    try {
      // What is asked about is what is shown.
      const saved = around ? await flush(around.editor, around.onMerged) : false;
      control.signal.throwIfAborted();
      if (!saved) throw notSaved(i18next.t("assistant.panel.notSaved"));
      await streamTurn(bodyOf(flowId, request), hear, control.signal);
    } catch (error) {
      if (going) stop();
      if (control.signal.aborted) return;
      failure = failureOf(error);
      // The model may be gone, or the assistant switched off.
      if (asApiError(error).status >= 400) void queryClient.invalidateQueries({ queryKey: assistantConfigQuery.queryKey });
    } finally {
      streams.delete(turn);
      window.removeEventListener("beforeunload", unload);
    }
    frames.flush();
    if (!control.signal.aborted) dispatch({ type: "ended", turn, failure });
  };

  const stop = (): void => {
    for (const { deliver } of streams.values()) deliver();
    dispatch({ type: "stop" });
  };

  fillToolsAfterwards(store, () => around?.editor ?? null);
  const keepTalk = (state: ChatState): void => {
    // An older copy must not take the place of what another tab has made of it.
    if (state.messages === kept) return;
    const session = keptSession(state, Date.now());
    if (session && storeSession(session)) kept = state.messages;
  };

  const stopListening = whenLeft(flowId, () => {
    // Whatever comes now can no longer be done: nobody would save it.
    around = null;
    if (store.getState().state.turn) stop();
    leave(flowId, chat);
  });

  const chat: Chat = {
    store,
    dispatch,
    stop,
    around: () => around,
    enter: (page) => {
      around = page;
      // The server forgets the components of all talks: those that go on need theirs.
      const others = [...chats.values()].some((other) => other !== chat && isBegun(other));
      if (!entered && !others) dispatch({ type: "mounted" });
      entered = true;
    },
    rest: () => {
      // It ends with the page, and not because the server was away; the next visit finds what was said.
      if (store.getState().state.turn) stop();
      else if (!isForeign(person)) keepTalk(store.getState().state);
    },
    end: () => {
      chat.rest();
      over = true;
      stopListening();
    },
  };
  return chat;
}

/** For whoever looks into it; nobody else can do anything about it. */
function warn(what: unknown): void {
  // oxlint-disable-next-line no-console -- this is where it is looked for
  console.warn(what);
}

type Choice = Exclude<(Effect & { do: "keep" })["what"], "session">;

function keepChoice(what: Choice, state: ChatState): void {
  switch (what) {
    case "skipAll":
      keepSkipAll(state.skipAll);
      return;
    case "historyLimit":
    case "iterationsLimit":
      keepLimit(what, state[what]);
  }
}
