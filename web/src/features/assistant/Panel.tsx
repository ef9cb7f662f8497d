import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { assistantConfigQuery, count } from "@/api/assistant";
import { isTyping } from "@/lib/keys";
import type { Editor } from "@/stores/editor/state";
import { cx } from "@/ui/cx";
import { ErrorNotice } from "@/ui/ErrorNotice";
import type { CardActions } from "./cards/actions";
import { type Chat, sendIds } from "./chat";
import { Conversation } from "./Conversation";
import { AssistantInput } from "./input/AssistantInput";
import type { AssistantInputHandle } from "./input/props";
import { useModelChoice } from "./input/useModelChoice";
import { nodeToken } from "./model/mentions";
import { COUNTERS, MAX_INPUT } from "./model/protocol";
import { PanelHeader } from "./PanelHeader";
import { Disabled, Greeting, NoModels } from "./PanelStates";
import { ProviderChoice } from "./ProviderChoice";
import { LEAST, MOST, type PanelEdge, usePanelSize } from "./usePanelSize";

/** What the panel is opened for. */
export type Wish = { kind: "describe"; text: string } | { kind: "mention"; node: string };

/** Each is granted once, however often the panel is drawn before the page takes note of it. */
const taken = new WeakSet<Wish>();

export interface PanelProps {
  chat: Chat;
  editor: Editor;
  actions: CardActions;
  wish: Wish | null;
  onWish: () => void;
  onClose: () => void;
}

export function Panel({ chat, editor, actions, wish, onWish, onClose }: PanelProps) {
  const { t } = useTranslation();
  const config = useQuery(assistantConfigQuery);
  const { model, lost, onModel } = useModelChoice(config.data ?? null);
  const [choosing, setChoosing] = useState(false);
  const [folded, setFolded] = useState(false);
  const input = useRef<AssistantInputHandle>(null);
  const draft = useStore(chat.store, (held) => held.draft);
  const busy = useStore(chat.store, (held) => held.state.turn !== null);
  const refining = useStore(chat.store, (held) => held.state.refining !== null);
  const empty = useStore(chat.store, (held) => held.state.messages.length === 0);
  // Small until something is said; from then on it keeps its size, also over a new session.
  const [begun, setBegun] = useState(!empty);
  if (!empty && !begun) setBegun(true);
  const step = useStore(chat.store, (held) => {
    const last = held.state.messages.at(-1);
    return last?.role === "assistant" && last.status === "streaming" ? (last.progress?.step ?? null) : null;
  });

  const setDraft = (text: string): void => chat.store.setState({ draft: text });
  const ask = (text: string): void =>
    chat.dispatch({ type: "send", text, model, selected: selectedComponent(editor), ids: sendIds(), at: Date.now() });
  const send = (text: string): void => {
    setFolded(false);
    ask(text);
  };
  if (wish && folded) setFolded(false);

  const ready = config.data !== undefined || config.error !== null;
  const take = useEffectEvent((wanted: Wish): void => {
    if (taken.has(wanted)) return;
    taken.add(wanted);
    onWish();
    const usable = model !== null && config.data?.enabled === true;
    if (wanted.kind === "mention") {
      if (input.current) input.current.insert(`${nodeToken(wanted.node)} `);
      else setDraft(`${draft}${nodeToken(wanted.node)} `);
    } else if (usable && !busy && [...wanted.text].length <= MAX_INPUT) ask(wanted.text);
    else setDraft(draft.trim() === "" ? wanted.text : `${draft.trimEnd()}\n\n${wanted.text}`);
  });
  useEffect(() => {
    if (wish && ready) take(wish);
  }, [wish, ready]);
  useEscape(onClose);

  // Written to as soon as it is there, also while it is still to be found out who answers.
  const speaks = config.data ? config.data.enabled && model !== null : !config.error;
  useEffect(() => {
    if (speaks) input.current?.focus();
  }, [speaks]);

  // A plan was set aside: now the person says what to change.
  useEffect(() => {
    if (refining) input.current?.focus();
  }, [refining]);

  const body = (): ReactNode => {
    if (!config.data && config.error)
      return (
        <div className="p-4">
          <ErrorNotice error={config.error} onRetry={() => void config.refetch()} />
        </div>
      );
    if (config.data?.enabled === false) return <Disabled />;
    const configure = (): void => setChoosing(true);
    return (
      <>
        {empty || folded ? null : <Conversation chat={chat} actions={actions} />}
        {config.data && model === null ? (
          <NoModels config={config.data} draft={draft} small={!empty} onConfigure={configure} onModel={onModel} />
        ) : (
          <>
            {empty ? <Greeting editor={editor} disabled={model === null} onPick={send} /> : null}
            <div className="shrink-0 p-3 pt-1">
              <AssistantInput
                ref={input}
                disabled={false}
                busy={busy}
                step={step}
                refining={refining}
                draft={draft}
                onDraft={setDraft}
                onSend={(text) => {
                  setDraft("");
                  send(text);
                }}
                onStop={chat.stop}
                onRecall={() => count(COUNTERS.inputRecalled, chat.store.getState().state.sessionId)}
                editor={editor}
                model={model}
                onModel={onModel}
                lostModel={lost}
                config={config.data ?? null}
                onConfigure={configure}
              />
            </div>
          </>
        )}
      </>
    );
  };

  return (
    <Frame label={t("assistant.panel.title")} compact={!begun || folded || config.data?.enabled === false}>
      <PanelHeader
        chat={chat}
        usable={config.data?.enabled !== false}
        folded={folded}
        onFold={setFolded}
        onClose={onClose}
        onBegin={() => {
          setFolded(false);
          input.current?.focus();
        }}
      />
      {body()}
      <ProviderChoice open={choosing} onClose={() => setChoosing(false)} />
    </Frame>
  );
}

/** The node that "this component" means: the only one that is selected. */
function selectedComponent(editor: Editor): string | null {
  const { selection, flow } = editor.getState();
  const [id] = selection;
  return selection.size === 1 && id !== undefined && flow.byId.get(id)?.kind !== "note" ? id : null;
}

/** Also from the bar above, which is outside of the flow's own element; what has a popup or a text open deals with it first. */
function useEscape(onClose: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented || isTyping(event.target)) return;
    if (event.target instanceof Element && event.target.closest('[role="dialog"], [role="menu"], [role="listbox"]')) return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

const EDGES: Record<PanelEdge, string> = {
  top: "inset-x-3 -top-1 h-2 cursor-ns-resize",
  left: "inset-y-3 -left-1 w-2 cursor-ew-resize",
  right: "inset-y-3 -right-1 w-2 cursor-ew-resize",
};

/** Stands over the middle of the canvas, above its tools; as large as the person made it and the canvas has room for. */
function Frame({ label, compact, children }: { label: string; compact: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  const panel = useRef<HTMLElement>(null);
  const { size, edge } = usePanelSize(panel);
  const edges: PanelEdge[] = compact ? ["left", "right"] : ["top", "left", "right"];
  return (
    <aside
      ref={panel}
      id="flow-assistant"
      data-testid="assistant-panel"
      aria-label={label}
      className={cx(
        "absolute inset-x-0 bottom-15 z-15 mx-auto flex max-h-[calc(100%-4.5rem)] max-w-[calc(100%-1.5rem)] flex-col",
        "rounded-xl border border-line-strong bg-surface shadow-3",
        "transition-[opacity,translate] duration-150 motion-reduce:transition-none starting:translate-y-2 starting:opacity-0",
      )}
      style={{ width: size.width, ...(compact ? {} : { height: size.height }) }}
    >
      {children}
      {edges.map((which) => (
        <div
          key={which}
          role="separator"
          tabIndex={0}
          data-testid={`assistant-resize-${which}`}
          aria-label={which === "top" ? t("assistant.panel.resizeTop") : t("assistant.panel.resizeSide")}
          aria-orientation={which === "top" ? "horizontal" : "vertical"}
          aria-valuenow={which === "top" ? size.height : size.width}
          aria-valuemin={which === "top" ? LEAST.height : LEAST.width}
          aria-valuemax={which === "top" ? MOST.height : MOST.width}
          className={cx("absolute touch-none rounded-full max-md:hidden hover:bg-accent/40", EDGES[which])}
          {...edge(which)}
        />
      ))}
    </aside>
  );
}
