import { Link } from "@tanstack/react-router";
import { Maximize2 } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TaggedFlow } from "@/api/flows";
import type { FlowRead } from "@/api/types";
import { type CanvasHandle, FlowCanvas } from "@/canvas/FlowCanvas";
import { setPreference, usePreferences } from "@/stores/preferences";
import { buttonClass } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { TopBarActions, TopBarTitle } from "@/ui/TopBarSlots";
import { CanvasSkeleton } from "./CanvasSkeleton";
import { ConflictDialog } from "./ConflictDialog";
import { DetailsPanel } from "./DetailsPanel";
import { Dock } from "./Dock";
import { EmptyFlow } from "./EmptyFlow";
import { canChat, FlowActions, PLAYGROUND_BUTTON_ID } from "./FlowActions";
import { FlowTitle } from "./FlowTitle";
import { Inspector } from "./inspector/Inspector";
import { OutlinePanel } from "./OutlinePanel";
import { ProblemsButton, ProblemsPanel } from "./ProblemsPanel";
import { useDrawing } from "./useDrawing";
import { usePageKeys } from "./usePageKeys";
import { useFlowWrites } from "./useFlowWrites";
import { VersionsPanel } from "./versions/VersionsPanel";
import { useRestore } from "./versions/useRestore";
import { ViewBanner } from "./ViewBanner";
import { DRAFT, drawingOf, type Panel, type Shown } from "./views";

export function FlowWorkspace({
  tagged,
  playground,
}: {
  tagged: TaggedFlow;
  playground: (flow: FlowRead) => ReactNode;
}) {
  const { t } = useTranslation();
  const { flow } = tagged;
  const writes = useFlowWrites(tagged);
  const [shown, setShown] = useState<Shown>(DRAFT);
  const [selected, setSelected] = useState<string | null>(null);
  const [panel, setPanel] = useState<Panel | null>(null);
  const drawing = useDrawing(flow, shown);
  const restore = useRestore(flow, writes, () => setShown(DRAFT));
  const minimap = usePreferences((preferences) => preferences.minimap === "shown");
  const canvas = useRef<CanvasHandle>(null);
  const node = selected === null ? null : (drawing.flow?.byId.get(selected) ?? null);

  const actions = useMemo(
    () => ({
      toggle: (wanted: Panel) => setPanel((open) => (open === wanted ? null : wanted)),
      select: (id: string | null) => setSelected(id),
      // A press on a card must not take the list away that somebody is working through.
      pick: (id: string | null) => {
        setSelected(id);
        setPanel((open) => (id === null || (open !== null && open !== "inspector") ? open : "inspector"));
      },
      open: (id: string) => {
        setSelected(id);
        setPanel("inspector");
      },
      reveal: (id: string) => {
        setSelected(id);
        canvas.current?.show(id);
      },
    }),
    [],
  );

  // The dock takes room from the canvas; what was just chosen must not end up beneath its edge.
  useEffect(() => {
    if (panel === null || selected === null) return;
    const frame = requestAnimationFrame(() => canvas.current?.show(selected));
    return () => cancelAnimationFrame(frame);
  }, [panel, selected]);

  const closePanel = (): void => {
    if (panel === "playground") document.getElementById(PLAYGROUND_BUTTON_ID)?.focus();
    setPanel(null);
    if (selected !== null) canvas.current?.show(selected, true);
  };
  const escape = (): void => (panel === null ? setSelected(null) : closePanel());
  const page = usePageKeys({
    onEscape: escape,
    onSearch: () => setPanel("outline"),
    onPlayground: () => canChat(flow) && actions.toggle("playground"),
  });

  return (
    <main ref={page} className="relative flex min-h-0 flex-1">
      <TopBarTitle>
        <FlowTitle flow={flow} save={writes.save} />
      </TopBarTitle>
      <TopBarActions>
        <FlowActions flow={flow} panel={panel} onToggle={actions.toggle} />
      </TopBarActions>

      <div className="relative min-w-0 flex-1">
        {drawing.flow ? (
          <FlowCanvas
            ref={canvas}
            flow={drawing.flow}
            drawing={drawingOf(shown)}
            marks={drawing.marks}
            selected={selected}
            onSelect={actions.select}
            onPick={actions.pick}
            onOpen={actions.open}
            onEscape={escape}
            minimap={minimap}
            onMinimap={(on) => setPreference("minimap", on ? "shown" : "hidden")}
            label={t("flow.canvas.label", { name: flow.name })}
          />
        ) : drawing.error ? (
          <div className="mx-auto max-w-lg p-6">
            <ErrorNotice error={drawing.error} onRetry={drawing.retry} />
          </div>
        ) : (
          <CanvasSkeleton inside />
        )}
        {drawing.flow?.nodes.length === 0 ? <EmptyFlow problems={drawing.flow.problems.length > 0} /> : null}
        <div className="pointer-events-none absolute inset-x-3 top-3 z-10 flex flex-wrap items-start gap-2 *:pointer-events-auto">
          <ViewBanner shown={shown} onDraft={() => setShown(DRAFT)} onRestore={restore.ask} />
          {drawing.flow ? (
            <ProblemsButton problems={drawing.flow.problems} onOpen={() => setPanel("problems")} />
          ) : null}
        </div>
      </div>

      {panel ? (
        <Dock
          key={panel}
          panel={panel}
          onClose={closePanel}
          fill={panel === "playground"}
          actions={panel === "playground" ? <FullPageLink flowId={flow.id} /> : null}
        >
          {panel === "inspector" && drawing.flow ? (
            <Inspector key={selected} flow={drawing.flow} node={node} onNode={actions.reveal} />
          ) : null}
          {panel === "outline" && drawing.flow ? (
            <OutlinePanel
              flow={drawing.flow}
              selected={selected}
              onNode={actions.reveal}
              onOpen={actions.open}
            />
          ) : null}
          {panel === "details" ? <DetailsPanel flow={flow} save={writes.save} /> : null}
          {panel === "versions" ? (
            <VersionsPanel
              flow={flow}
              shown={shown}
              diff={drawing.diff}
              diffError={shown.kind === "compare" ? drawing.error : null}
              onShow={setShown}
              onRestore={restore.ask}
              onNode={actions.reveal}
            />
          ) : null}
          {panel === "problems" && drawing.flow ? (
            <ProblemsPanel problems={drawing.flow.problems} onNode={actions.reveal} />
          ) : null}
          {panel === "playground" ? playground(flow) : null}
        </Dock>
      ) : null}
      {restore.dialog}
      <ConflictDialog conflict={writes.conflict} />
    </main>
  );
}

function FullPageLink({ flowId }: { flowId: string }) {
  const { t } = useTranslation();
  return (
    <Link
      to="/flow/$flowId/playground"
      params={{ flowId }}
      className={buttonClass("ghost", "sm")}
      aria-label={t("playground.fullPage")}
      title={t("playground.fullPage")}
    >
      <Maximize2 aria-hidden="true" className="size-4" />
    </Link>
  );
}
