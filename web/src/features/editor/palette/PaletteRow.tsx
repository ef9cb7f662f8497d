import { Star } from "lucide-react";
import { type DragEvent, memo } from "react";
import { useTranslation } from "react-i18next";
import { NodeIcon } from "@/canvas/icons/NodeIcon";
import type { PaletteItem } from "@/flow/palette";
import { cx } from "@/ui/cx";
import { startDrag } from "./dragImage";

export interface RowActions {
  add: (type: string) => void;
  star: (type: string) => void;
  /** A drag of it ended on something that took it. */
  dropped: (type: string) => void;
  /** Shows what the component does, or stops showing it. */
  help: (item: PaletteItem, row: HTMLElement | null, at: "hover" | "focus") => void;
  focused: (place: string) => void;
}

export const helpId = "palette-help";

/** Not a button element: Firefox drags none of those. */
export const PaletteRow = memo(function PaletteRow({
  item,
  place,
  note,
  starred,
  tabbable,
  first,
  explained,
  actions,
}: {
  item: PaletteItem;
  /** Names the row: a favourite is listed twice. */
  place: string;
  /** Where the search found it, if not in its name. */
  note: string;
  starred: boolean;
  tabbable: boolean;
  /** Enter in the search field adds it. */
  first: boolean;
  explained: boolean;
  actions: RowActions;
}) {
  const { t } = useTranslation();
  return (
    <li
      className={cx(
        "group relative flex h-8 items-center rounded-md pr-1 hover:bg-hover has-focus-visible:bg-hover",
        first && "bg-accent-soft",
      )}
    >
      <div
        role="button"
        tabIndex={tabbable ? 0 : -1}
        data-stop={place}
        data-type={item.type}
        draggable
        aria-describedby={explained ? helpId : undefined}
        className="flex h-full min-w-0 flex-1 cursor-grab items-center gap-2 rounded-md pl-2 focus-visible:-outline-offset-2 active:cursor-grabbing"
        onClick={() => actions.add(item.type)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          actions.add(item.type);
        }}
        onDragStart={(event) => {
          actions.help(item, null, "hover");
          startDrag(event, item.type, item.name);
        }}
        onDragEnd={(event: DragEvent) => {
          if (event.dataTransfer.dropEffect !== "none") actions.dropped(item.type);
        }}
        onPointerEnter={(event) => {
          if (event.pointerType === "mouse") actions.help(item, event.currentTarget, "hover");
        }}
        onPointerLeave={() => actions.help(item, null, "hover")}
        onFocus={(event) => {
          actions.focused(place);
          if (event.currentTarget.matches(":focus-visible")) actions.help(item, event.currentTarget, "focus");
        }}
        onBlur={() => actions.help(item, null, "focus")}
      >
        <NodeIcon name={item.icon} className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate text-xs">
          {item.name}
          {note ? <span className="text-faint"> · {note}</span> : null}
        </span>
        {item.beta ? <Tag text={t("flow.badge.beta")} /> : null}
        {item.legacy ? <Tag text={t("flow.badge.legacy")} /> : null}
      </div>
      <button
        type="button"
        tabIndex={tabbable ? 0 : -1}
        aria-pressed={starred}
        aria-label={t("palette.star", { name: item.name })}
        className={cx(
          "flex size-6 shrink-0 items-center justify-center rounded-sm hover:text-ink focus-visible:opacity-100 group-hover:opacity-100",
          starred ? "text-accent" : "text-faint opacity-0 group-has-focus-visible:opacity-100",
        )}
        onClick={() => actions.star(item.type)}
      >
        <Star aria-hidden="true" className="size-3.5" fill={starred ? "currentColor" : "none"} />
      </button>
    </li>
  );
});

function Tag({ text }: { text: string }) {
  return (
    <span className="shrink-0 rounded-sm border border-line-strong px-1 text-[10px] leading-4 text-muted">{text}</span>
  );
}
