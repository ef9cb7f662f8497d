import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FlowRead } from "@/api/types";
import { type CanvasHandle, FlowCanvas } from "@/canvas/FlowCanvas";
import type { Editor } from "@/stores/editor/state";
import { setPreference, usePreferences } from "@/stores/preferences";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { showToast } from "@/ui/toasts";
import { TopBarTitle } from "@/ui/TopBarSlots";
import { CanvasSkeleton } from "./CanvasSkeleton";
import { Dock } from "./Dock";
import { FlowTitle } from "./FlowTitle";
import { Inspector } from "./inspector/Inspector";
import { useDrawing } from "./useDrawing";
import type { FlowWrites } from "./useFlowWrites";
import { usePageKeys } from "./usePageKeys";
import { VersionsPanel } from "./versions/VersionsPanel";
import { useRestore } from "./versions/useRestore";
import { ViewBanner } from "./ViewBanner";
import { DRAFT, drawingOf, type Looked, type Shown } from "./views";

/** A saved version, or the difference of two: to look at, to compare, to restore. */
export function ViewingWorkspace({
  flow,
  editor,
  writes,
  shown,
  onShow,
  onLeave,
}: {
  flow: FlowRead;
  editor: Editor;
  writes: FlowWrites;
  shown: Looked;
  onShow: (shown: Shown) => void;
  onLeave: () => void;
}) {
  const { t } = useTranslation();
  const [selected, setSelected] = useState<string | null>(null);
  const [inspecting, setInspecting] = useState(false);
  const drawing = useDrawing(flow, shown);
  const restore = useRestore(flow, editor, () => onShow(DRAFT));
  const minimap = usePreferences((preferences) => preferences.minimap === "shown");
  const canvas = useRef<CanvasHandle>(null);
  const node = selected === null ? null : (drawing.flow?.byId.get(selected) ?? null);
  const open = (id: string): void => {
    setSelected(id);
    setInspecting(true);
  };
  const reveal = (id: string): void => {
    setSelected(id);
    canvas.current?.show(id);
  };
  const escape = (): void => {
    if (inspecting) setInspecting(false);
    else if (selected !== null) setSelected(null);
    else onShow(DRAFT);
  };
  const page = usePageKeys({
    onEscape: escape,
    onSearch: () => setInspecting(false),
    onAssistant: () => showToast({ message: t("editor.assistant.viewing") }),
  });
  return (
    <main ref={page} className="relative flex min-h-0 flex-1">
      <TopBarTitle>
        <FlowTitle flow={flow} save={writes.save} />
      </TopBarTitle>
      <div className="relative min-w-0 flex-1">
        {drawing.flow ? (
          <FlowCanvas
            ref={canvas}
            flow={drawing.flow}
            drawing={drawingOf(shown)}
            marks={drawing.marks}
            selected={selected}
            onSelect={setSelected}
            onPick={(id) => (id === null ? setSelected(null) : open(id))}
            onOpen={open}
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
        <div className="pointer-events-none absolute inset-x-3 top-3 z-10 flex flex-wrap items-start gap-2 *:pointer-events-auto">
          <ViewBanner shown={shown} onDraft={() => onShow(DRAFT)} onRestore={restore.ask} />
        </div>
      </div>
      <Dock
        key={inspecting ? "inspector" : "versions"}
        panel={inspecting ? "inspector" : "versions"}
        onClose={() => (inspecting ? setInspecting(false) : onLeave())}
      >
        {inspecting && drawing.flow ? (
          <Inspector key={selected} flow={drawing.flow} node={node} onNode={reveal} />
        ) : (
          <VersionsPanel
            flow={flow}
            shown={shown}
            diff={drawing.diff}
            diffError={shown.kind === "compare" ? drawing.error : null}
            onShow={onShow}
            onRestore={restore.ask}
            onNode={reveal}
          />
        )}
      </Dock>
      {restore.dialog}
    </main>
  );
}
