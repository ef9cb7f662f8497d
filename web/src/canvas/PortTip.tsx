import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

interface Tip {
  label: string;
  types: string;
  side: "in" | "out";
  missing: boolean;
  /** Why the wire under the hand may not end here. */
  reason: string | null;
  x: number;
  y: number;
}

/** One hint for all ports: hundreds of ports would otherwise each carry a tooltip of their own. */
export function PortTip({ root }: { root: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation();
  const [tip, setTip] = useState<Tip | null>(null);

  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const over = (event: PointerEvent): void => {
      const target =
        event.target instanceof Element ? event.target.closest<HTMLElement>("[data-port-label]") : null;
      if (!target) return setTip(null);
      const box = target.getBoundingClientRect();
      const frame = element.getBoundingClientRect();
      setTip({
        label: target.dataset.portLabel ?? "",
        types: target.dataset.portTypes ?? "",
        side: target.dataset.side === "out" ? "out" : "in",
        missing: target.dataset.portMissing !== undefined,
        reason: target.dataset.portReason || null,
        x: box.left + box.width / 2 - frame.left,
        y: box.top - frame.top,
      });
    };
    const leave = (): void => setTip(null);
    element.addEventListener("pointerover", over);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("wheel", leave, { passive: true });
    return () => {
      element.removeEventListener("pointerover", over);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("wheel", leave);
    };
  }, [root]);

  if (!tip) return null;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-20 max-w-72 -translate-x-1/2 -translate-y-full rounded-md border border-line bg-raised px-2 py-1 text-xs text-ink shadow-2"
      style={{ left: tip.x, top: tip.y - 6 }}
    >
      <p className="font-medium">{tip.label}</p>
      <p className="text-muted">
        {tip.missing
          ? t("flow.port.missing")
          : tip.side === "in"
            ? t("flow.port.accepts", { types: tip.types })
            : t("flow.port.gives", { types: tip.types })}
      </p>
      {tip.reason === null ? null : <p className="mt-0.5 text-danger">{tip.reason}</p>}
    </div>
  );
}
