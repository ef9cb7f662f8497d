import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PaletteItem, PaletteSlot } from "@/flow/palette";
import { helpId } from "./PaletteRow";
import { TypeDot } from "./TypeDot";

const GAP = 8;
const EDGE = 8;

/** What a component does, beside its row. */
export function PaletteHelp({
  item,
  row,
  onEnter,
  onLeave,
}: {
  item: PaletteItem;
  row: HTMLElement;
  onEnter: () => void;
  onLeave: () => void;
}) {
  const { t } = useTranslation();
  return (
    <div
      id={helpId}
      role="tooltip"
      ref={(box) => {
        if (box) place(box, row);
      }}
      className="invisible fixed top-0 left-0 z-40 flex max-h-[60vh] w-72 flex-col gap-2 overflow-y-auto rounded-lg border border-line bg-raised p-3 text-xs text-ink shadow-2"
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
    >
      <p className="text-sm font-semibold">{item.name}</p>
      {item.description ? <p className="text-muted">{item.description}</p> : null}
      <Slots title={t("palette.inputs")} slots={item.inputs} />
      <Slots title={t("palette.outputs")} slots={item.outputs} />
      {item.toolCapable ? <p className="text-muted">{t("palette.asTool")}</p> : null}
      {item.documentation ? (
        <a
          href={item.documentation}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 self-start rounded-sm text-accent hover:underline"
        >
          {t("flow.inspector.docs")}
          <ExternalLink aria-hidden="true" className="size-3" />
        </a>
      ) : null}
    </div>
  );
}

const MOST = 6;

function Slots({ title, slots }: { title: string; slots: readonly PaletteSlot[] }) {
  const { t } = useTranslation();
  if (slots.length === 0) return null;
  const rest = slots.length - MOST;
  return (
    <div>
      <p className="font-medium">{title}</p>
      <ul className="mt-1 space-y-1">
        {slots.slice(0, MOST).map((slot) => (
          <li key={slot.name} className="flex items-center gap-1.5">
            <span className="flex shrink-0 gap-0.5">
              {slot.types.slice(0, 3).map((type) => (
                <TypeDot key={type} type={type} />
              ))}
            </span>
            <span className="min-w-0 truncate">
              {slot.label}
              {slot.required ? <span className="text-danger"> *</span> : null}
            </span>
            <span className="min-w-0 flex-1 truncate text-right text-faint">{slot.types.join(", ")}</span>
          </li>
        ))}
      </ul>
      {rest > 0 ? <p className="mt-1 text-faint">{t("flow.value.more", { count: rest })}</p> : null}
    </div>
  );
}

function place(box: HTMLElement, row: HTMLElement): void {
  // A search or a fold may have taken the row away under the pointer.
  box.style.visibility = row.isConnected ? "visible" : "hidden";
  if (!row.isConnected) return;
  const anchor = (row.closest("aside") ?? row).getBoundingClientRect();
  const { top } = row.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const left = anchor.right + GAP;
  box.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  box.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - height - EDGE))}px`;
}
