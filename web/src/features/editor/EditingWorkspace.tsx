import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { FlowPatch } from "@/api/flows";
import type { FlowRead } from "@/api/types";
import { type CanvasActions, CanvasActionsContext } from "@/canvas/canvasActions";
import { EditorCanvas, type EditorCanvasHandle, type Pressed } from "@/canvas/EditorCanvas";
import { RunAnnouncer } from "@/canvas/RunAnnouncer";
import { RunButton } from "@/canvas/RunButton";
import { edit, select } from "@/stores/editor/actions";
import { NOTE_TYPE } from "@/flow/palette";
import type { Template } from "@/flow/templates";
import { addComponent, addNote, arrange } from "@/stores/editor/commands";
import { flush } from "@/stores/editor/saving";
import { setPreference, usePreferences } from "@/stores/preferences";
import { useReview } from "@/stores/review";
import { startRun } from "@/stores/run";
import { useKeys } from "@/stores/shortcuts";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";
import { TopBarActions, TopBarTitle } from "@/ui/TopBarSlots";
import { BottomPanel, type BottomTab } from "./BottomPanel";
import { CanvasMenu } from "./CanvasMenus";
import { CodeHost } from "./code/CodeHost";
import { tellRunFailure } from "./code/tellFailure";
import { ConflictDialog } from "./ConflictDialog";
import { DetailsPanel } from "./DetailsPanel";
import { Dock } from "./Dock";
import { EditConflictDialog } from "./EditConflictDialog";
import { EmptyFlow } from "./EmptyFlow";
import { canChat, FlowActions, PLAYGROUND_BUTTON_ID } from "./FlowActions";
import { FlowTitle } from "./FlowTitle";
import { FullPageLink, Outline, PaletteButton, Share, useBottomTabs, usePaletteShown } from "./WorkspaceParts";
import { NodePanel } from "./NodePanel";
import { Palette, type PaletteHandle } from "./palette/Palette";
import type { FlowParts } from "./parts";
import { ProblemList } from "./ProblemList";
import { type Adding, QuickAddHere } from "./QuickAddHere";
import { SaveState } from "./SaveState";
import { UndoButtons } from "./UndoButtons";
import { AssistantButton, AssistantPart, useAssistant } from "./useAssistant";
import { useClipboard } from "./useClipboard";
import { useEditorKeys } from "./useEditorKeys";
import type { EditorSession } from "./useEditorSession";
import type { FlowWrites } from "./useFlowWrites";
import { useProblems } from "./useProblems";
import { VariablesList } from "./VariablesList";
import { VersionsPanel } from "./versions/VersionsPanel";
import { useRestore } from "./versions/useRestore";
import { DRAFT, type Panel, type Shown } from "./views";

export interface WorkspaceProps {
  flow: FlowRead;
  session: EditorSession;
  writes: FlowWrites;
  parts: FlowParts;
  /** What stands beside the canvas at first. */
  start: Panel | null;
  onShow: (shown: Shown) => void;
}

/** Where a flow is built: palette, canvas, dock, and what is wrong and what ran beneath. */
export function EditingWorkspace({ flow, session, writes, parts, start, onShow }: WorkspaceProps) {
  const { t } = useTranslation();
  const { editor, components, onMerged } = session;
  const flowId = flow.id;
  const [panel, setPanel] = useState<Panel | null>(start);
  const [asked, setAsked] = useState(0);
  const [bottom, setBottom] = useState<BottomTab | null>(null);
  const [adding, setAdding] = useState<Adding | null>(null);
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const palette = usePaletteShown();
  const minimap = usePreferences((preferences) => preferences.minimap === "shown");
  const snap = usePreferences((preferences) => preferences.snap === "on");
  const canvas = useRef<EditorCanvasHandle>(null);
  const search = useRef<PaletteHandle>(null);
  const only = useStore(editor, (state) => (state.selection.size === 1 ? ([...state.selection][0] ?? null) : null));
  const empty = useStore(editor, (state) => state.flow.nodes.length === 0);
  const unreadable = useStore(editor, (state) => state.unreadable);
  const locked = useStore(editor, (state) => state.locked);
  const broken = useStore(editor, (state) => state.flow.problems.length > 0);
  const proposed = useReview((review) => review.flowId === flowId && review.ghosts !== null);
  const problems = useProblems(editor);
  const restore = useRestore(flow, editor, () => onShow(DRAFT));
  const assistant = useAssistant(editor);
  const clipboard = useClipboard(editor, true, () => canvas.current?.middle() ?? null);

  const reveal = (id: string): void => {
    select(editor, [id]);
    canvas.current?.show(id);
  };
  const toggle = (wanted: Panel): void => {
    setAsked(0);
    setPanel((open) => (open === wanted ? null : wanted));
  };
  const save = async (patch: FlowPatch): Promise<boolean> => {
    await flush(editor, onMerged);
    return writes.save(patch);
  };
  const run = async (stopAt?: string): Promise<void> => {
    // What runs is what is saved.
    if (!(await flush(editor, onMerged))) {
      showToast({ tone: "error", message: t("editor.run.notSaved") });
      return;
    }
    await startRun(flowId, stopAt === undefined ? {} : { stopAt });
  };
  const runNow = (stopAt?: string): void => void run(stopAt).catch(tellRunFailure);

  const actions: CanvasActions = {
    runTo: (id) => runNow(id),
    showOutput: (id) => {
      select(editor, [id]);
      setPanel("output");
    },
    openMenu: (id, at) => setPressed({ at, node: id, wire: null }),
    openNode: (id) => {
      select(editor, [id]);
      setPanel("inspector");
    },
  };
  const openNode = (id: string): void => {
    if (editor.getState().flow.byId.get(id)?.kind === "note") {
      if (!locked) canvas.current?.write(id);
    } else actions.openNode(id);
  };

  const add = (type: string): void => {
    palette.taken();
    const near = canvas.current?.middle() ?? { x: 0, y: 0 };
    const id = addComponent(editor, type, { near });
    if (id !== null) canvas.current?.show(id, true);
  };
  const note = (): void => {
    palette.taken();
    const id = addNote(editor, canvas.current?.middle() ?? { x: 0, y: 0 });
    if (id === null) return;
    canvas.current?.write(id);
    canvas.current?.show(id);
  };
  const addAt = (): void => {
    const middle = canvas.current?.middle() ?? { x: 0, y: 0 };
    setAdding({ kind: "new", screen: canvas.current?.toScreen(middle) ?? { x: 200, y: 200 }, at: { near: middle } });
  };

  // What is compared is what is saved.
  const showSaved = async (next: Shown): Promise<void> => {
    await flush(editor, onMerged);
    onShow(next);
  };
  const tidy = (): void =>
    void arrange(editor).then(() => requestAnimationFrame(() => canvas.current?.fit()));
  const lock = (): void => void save({ locked: !flow.locked }).catch(toastError);
  const firstNode = (type: string | null): void => (type === null ? addAt() : add(type));
  const takeTemplate = (template: Template): void => {
    edit(editor, { op: "set_flow", data: template.data });
    requestAnimationFrame(() => canvas.current?.fit());
  };

  const closePanel = (): void => {
    if (panel === "playground") document.getElementById(PLAYGROUND_BUTTON_ID)?.focus();
    setPanel(null);
    if (only !== null) canvas.current?.show(only, true);
  };
  const escape = (): void => {
    if (adding) setAdding(null);
    else if (assistant.open) assistant.close();
    else if (panel !== null) closePanel();
    else if (bottom !== null) setBottom(null);
    else select(editor, []);
  };
  const page = useEditorKeys(
    {
      editor,
      canvas,
      groupName: t("editor.groupName"),
      run: runNow,
      openNode,
      showOutput: actions.showOutput,
      addNode: addAt,
      note,
      arrange: tidy,
      searchComponents: () => {
        palette.open();
        // At once, or the next letters are lost; if it was closed it is only drawn with the next frame.
        if (search.current) search.current.focusSearch();
        else requestAnimationFrame(() => search.current?.focusSearch());
      },
      sidebar: palette.shown ? palette.close : palette.open,
      toggle: (wanted) => (wanted !== "playground" || canChat(flow) ? toggle(wanted) : undefined),
      write: (wanted) => {
        setPanel(wanted);
        setAsked((times) => times + 1);
      },
      openBottom: (tab) => setBottom((open) => (open === tab ? null : tab)),
      lock,
      assistant: assistant.toggle,
    },
    escape,
  );

  // What opens beside and beneath takes room from the canvas; what was just chosen must not end up under its edge.
  useEffect(() => {
    if ((panel === null && bottom === null) || only === null) return;
    const frame = requestAnimationFrame(() => canvas.current?.show(only));
    return () => cancelAnimationFrame(frame);
  }, [panel, bottom, only]);

  const tabs = useBottomTabs(problems);

  return (
    <CanvasActionsContext value={actions}>
      <main ref={page} className="relative flex min-h-0 flex-1 flex-col">
        <TopBarTitle>
          <FlowTitle flow={flow} save={save}>
            <SaveState editor={editor} revision={flow.revision} />
          </FlowTitle>
        </TopBarTitle>
        <TopBarActions>
          <RunButton
            flowId={flowId}
            onRun={() => runNow()}
            disabledReason={empty ? t("editor.run.empty") : null}
            shortcut={useKeys("run")}
          >
            <UndoButtons editor={editor} />
          </RunButton>
          <FlowActions
            flow={flow}
            panel={panel}
            onToggle={toggle}
            share={<Share editor={session} flow={flow} save={save} parts={parts} />}
          />
        </TopBarActions>
        <RunAnnouncer flowId={flowId} />

        <div className="relative flex min-h-0 flex-1">
          {palette.shown && unreadable === null && !locked ? (
            <Palette
              ref={search}
              registry={components.data?.registry ?? null}
              error={components.error}
              onRetry={() => void components.refetch()}
              onAdd={add}
              onNote={note}
              onClose={palette.close}
            />
          ) : null}
          <div className="relative min-w-0 flex-1">
            <EditorCanvas
              ref={canvas}
              editor={editor}
              snap={snap}
              onSnap={(on) => setPreference("snap", on ? "on" : "off")}
              onLock={lock}
              onArrange={tidy}
              minimap={minimap}
              onMinimap={(on) => setPreference("minimap", on ? "shown" : "hidden")}
              onOpen={openNode}
              onEscape={escape}
              onPressed={setPressed}
              onLoose={(loose) =>
                setAdding({ kind: "wire", screen: loose.at, at: canvas.current?.toFlow(loose.at) ?? loose.at, loose })
              }
              onMisfit={(reason) => showToast({ tone: "error", message: reason })}
              onDrop={(type, at) => (type === NOTE_TYPE ? addNote(editor, at) : addComponent(editor, type, at))}
              onDropFile={(file, at) => void file.text().then((text) => clipboard.take(text, at, file.name), toastError)}
              onBlank={(screen) =>
                setAdding({ kind: "new", screen, at: canvas.current?.toFlow(screen) ?? screen })
              }
              label={t("flow.canvas.label", { name: flow.name })}
              tools={locked ? null : <AssistantButton open={assistant.open} onToggle={assistant.toggle} />}
            />
            {palette.shown || locked || unreadable !== null ? null : <PaletteButton onOpen={palette.open} />}
            {unreadable === null ? null : (
              <div className="absolute inset-x-3 top-3 mx-auto max-w-xl">
                <ErrorNotice error={new Error(unreadable)} />
              </div>
            )}
            {empty && unreadable === null && !assistant.open && !proposed ? (
              <EmptyFlow
                problems={broken}
                {...(locked
                  ? {}
                  : {
                      onTemplate: takeTemplate,
                      onFirstNode: firstNode,
                      onDescribe: (text) => assistant.ask({ kind: "describe", text }),
                    })}
              />
            ) : null}
            <AssistantPart parts={parts} flow={flow} session={session} canvas={canvas} assistant={assistant} />
          </div>

          {panel ? (
            <Dock
              key={panel}
              panel={panel}
              onClose={closePanel}
              fill={panel === "playground"}
              actions={panel === "playground" ? <FullPageLink flowId={flowId} /> : null}
            >
              {panel === "inspector" || panel === "output" ? (
                <NodePanel
                  editor={editor}
                  id={only}
                  tab={panel}
                  onTab={setPanel}
                  onNode={reveal}
                  Output={parts.Output}
                />
              ) : null}
              {panel === "outline" ? (
                <Outline editor={editor} selected={only} onNode={reveal} onOpen={openNode} asked={asked} />
              ) : null}
              {panel === "details" ? <DetailsPanel flow={flow} save={save} /> : null}
              {panel === "versions" ? (
                <VersionsPanel
                  flow={flow}
                  shown={DRAFT}
                  diff={null}
                  diffError={null}
                  onShow={(next) => void showSaved(next)}
                  onRestore={restore.ask}
                  onNode={reveal}
                  asked={asked}
                  flush={() => flush(editor, onMerged)}
                />
              ) : null}
              {panel === "playground" ? <parts.Playground flow={flow} /> : null}
            </Dock>
          ) : null}
        </div>

        <BottomPanel tabs={tabs} open={bottom} onOpen={setBottom}>
          {bottom === "problems" ? <ProblemList problems={problems} onNode={reveal} /> : null}
          {bottom === "runs" ? <parts.Runs flowId={flowId} onNode={reveal} onPlayground={() => setPanel("playground")} /> : null}
          {bottom === "variables" ? <VariablesList editor={editor} onNode={reveal} /> : null}
        </BottomPanel>

        {adding && components.data ? (
          <QuickAddHere
            editor={editor}
            adding={adding}
            onDone={(id) => {
              setAdding(null);
              if (id !== null) canvas.current?.show(id, true);
            }}
          />
        ) : null}
        {pressed ? (
          <CanvasMenu
            editor={editor}
            pressed={pressed}
            onClose={() => setPressed(null)}
            actions={{
              addHere: () =>
                setAdding({
                  kind: "new",
                  screen: pressed.at,
                  at: canvas.current?.toFlow(pressed.at) ?? pressed.at,
                }),
              noteHere: () => {
                const id = addNote(editor, canvas.current?.toFlow(pressed.at) ?? pressed.at);
                if (id !== null) canvas.current?.write(id);
              },
              arrange: tidy,
              copy: clipboard.copy,
              cut: clipboard.cut,
              paste: clipboard.paste,
              open: openNode,
              output: actions.showOutput,
              runTo: actions.runTo,
              rename: (id) => canvas.current?.write(id),
              replace: (id) =>
                setAdding({ kind: "replace", screen: pressed.at, at: { x: 0, y: 0 }, node: id }),
              // Afterwards: the closing menu gives the focus back first.
              ask: (node) => void setTimeout(() => assistant.ask({ kind: "mention", node }), 50),
            }}
          />
        ) : null}
        {restore.dialog}
        <ConflictDialog conflict={writes.conflict} />
        <EditConflictDialog editor={editor} />
        <CodeHost editor={editor} onFocus={(id) => canvas.current?.show(id, true)} />
      </main>
    </CanvasActionsContext>
  );
}
