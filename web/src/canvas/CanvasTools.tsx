import { useStore } from "@xyflow/react";
import { Map as MapIcon, Maximize, Minus, Plus, RectangleHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/ui/Button";
import { useCanvas } from "./canvasStore";
import type { View } from "./useView";
import { zoomText } from "./zoom";

const PRESSED = "aria-pressed:bg-accent-soft aria-pressed:text-accent";

/** The zoom is shown in a box of fixed width: the buttons must not move while it changes. */
export function CanvasTools({
  view,
  minimap,
  onMinimap,
  children,
}: {
  view: View;
  /** Tools of whoever lets the flow be changed. */
  children?: ReactNode;
  minimap: boolean;
  onMinimap: (shown: boolean) => void;
}) {
  const { t } = useTranslation();
  const zoom = useStore((state) => zoomText(state.transform[2]));
  const compact = useCanvas((state) => state.compact);
  return (
    <div
      role="toolbar"
      aria-label={t("flow.canvas.tools")}
      className="absolute bottom-3 left-1/2 z-10 flex -translate-x-1/2 items-center gap-0.5 rounded-lg border border-line bg-raised p-1 shadow-2"
    >
      <IconButton
        size="sm"
        label={t("flow.canvas.zoomOut")}
        shortcut="-"
        icon={<Minus className="size-4" />}
        onClick={() => view.zoomBy(-1)}
      />
      <button
        type="button"
        aria-label={t("flow.canvas.zoomReset", { zoom })}
        title={t("flow.canvas.zoomReset", { zoom })}
        className="h-7 w-13 rounded-md text-center text-xs tabular-nums hover:bg-hover"
        onClick={() => view.zoomTo(1)}
      >
        {zoom}
      </button>
      <IconButton
        size="sm"
        label={t("flow.canvas.zoomIn")}
        shortcut="+"
        icon={<Plus className="size-4" />}
        onClick={() => view.zoomBy(1)}
      />
      <IconButton
        size="sm"
        label={t("flow.canvas.fit")}
        shortcut="1"
        icon={<Maximize className="size-4" />}
        onClick={() => view.fit()}
      />
      <IconButton
        size="sm"
        label={t("flow.canvas.compact")}
        shortcut="."
        aria-pressed={compact}
        className={PRESSED}
        icon={<RectangleHorizontal className="size-4" />}
        onClick={view.toggleCompact}
      />
      <IconButton
        size="sm"
        label={t("flow.canvas.minimap")}
        aria-pressed={minimap}
        // There is no room for it on a narrow canvas, nor for the map.
        className={`${PRESSED} max-md:hidden`}
        icon={<MapIcon className="size-4" />}
        onClick={() => onMinimap(!minimap)}
      />
      {children}
    </div>
  );
}
