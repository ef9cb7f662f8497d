import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { toJson } from "@/flow/json";
import type { Wire } from "@/flow/model";
import { type Editor, useEditorStore } from "@/stores/editor/state";
import { useWireValue } from "@/stores/run";
import { wireEnds } from "./FlowCanvas";

interface Over {
  wire: Wire;
  x: number;
  y: number;
}

const LONGEST = 400;

/** What crossed the wire under the pointer in the last run. */
export function WireTip({ root }: { root: RefObject<HTMLElement | null> }) {
  const editor = useEditorStore();
  const [over, setOver] = useState<Over | null>(null);
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const look = (event: PointerEvent): void => {
      const edge =
        event.target instanceof Element && event.buttons === 0
          ? event.target.closest<SVGElement>(".react-flow__edge")
          : null;
      const id = edge?.dataset.id;
      const wire = id === undefined ? undefined : editor.getState().flow.wires.find((one) => one.id === id);
      if (!wire) return setOver(null);
      const frame = element.getBoundingClientRect();
      setOver({ wire, x: event.clientX - frame.left, y: event.clientY - frame.top });
    };
    const leave = (): void => setOver(null);
    element.addEventListener("pointerover", look);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("pointerdown", leave);
    element.addEventListener("wheel", leave, { passive: true });
    return () => {
      element.removeEventListener("pointerover", look);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("pointerdown", leave);
      element.removeEventListener("wheel", leave);
    };
  }, [root, editor]);
  return over ? <Tip editor={editor} over={over} /> : null;
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : (toJson(value) ?? "");
}

function Tip({ editor, over }: { editor: Editor; over: Over }) {
  const { t } = useTranslation();
  const { flow, flowId } = editor.getState();
  const value = useWireValue(flowId, over.wire);
  const shown = valueText(value?.value);
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-20 max-w-90 -translate-x-1/2 -translate-y-full rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs text-ink shadow-2"
      style={{ left: over.x, top: over.y - 10 }}
    >
      <p className="text-muted">{t("flow.wire.label", wireEnds(flow, over.wire))}</p>
      {over.wire.broken ? <p className="text-warn">{t("editor.wire.broken")}</p> : null}
      {shown === "" ? (
        <p className="text-faint">{t("editor.wire.nothing")}</p>
      ) : (
        <p className="mt-1 line-clamp-6 font-mono break-words whitespace-pre-wrap">{shown.slice(0, LONGEST)}</p>
      )}
    </div>
  );
}
