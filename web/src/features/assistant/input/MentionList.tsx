import { SlidersHorizontal, Terminal } from "lucide-react";
import { type RefObject, useEffect } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { NodeIcon } from "@/canvas/icons/NodeIcon";
import { cx } from "@/ui/cx";
import type { Suggestion } from "./suggestions";
import type { OpenSuggestions } from "./useSuggestions";

const GAP = 6;
const EDGE = 8;
const WIDEST = 480;

interface MentionListProps {
  id: string;
  /** What it opens above. */
  anchor: RefObject<HTMLElement | null>;
  list: OpenSuggestions;
  onPoint: (at: number) => void;
  onPick: (suggestion: Suggestion) => void;
}

export function optionId(list: string, at: number): string {
  return `${list}-${at}`;
}

function place(box: HTMLElement, anchor: HTMLElement): void {
  const { left, top, width } = anchor.getBoundingClientRect();
  box.style.left = `${left}px`;
  box.style.width = `${Math.min(width, WIDEST)}px`;
  box.style.bottom = `${innerHeight - top + GAP}px`;
  box.style.maxHeight = `${Math.max(96, Math.min(288, top - GAP - EDGE))}px`;
}

/** As the ref of the active row: brings it into view when it becomes that. */
function bringIntoView(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: "nearest" });
}

/** Nodes, fields or commands to take into the text. The focus stays in the text: it has the keys. */
export function MentionList({ id, anchor, list, onPoint, onPick }: MentionListProps) {
  const { t } = useTranslation();
  const { kind, items, at } = list;

  useEffect(() => {
    const again = () => {
      const box = document.getElementById(id)?.parentElement;
      if (box && anchor.current) place(box, anchor.current);
    };
    window.addEventListener("resize", again);
    return () => window.removeEventListener("resize", again);
  }, [id, anchor]);

  const label =
    kind === "node"
      ? t("assistant.input.nodes")
      : kind === "field"
        ? t("assistant.input.fields")
        : t("assistant.input.commands");
  // Outside of the panel, which may be lower than the list; within the page's landmark, where it is looked for.
  return createPortal(
    <div
      role="presentation"
      data-testid="assistant-mention-popover"
      ref={(box) => {
        if (box && anchor.current) place(box, anchor.current);
      }}
      className="fixed z-60 flex flex-col overflow-hidden rounded-lg border border-line bg-raised text-sm text-ink shadow-2"
      // A press must not take the focus out of the text.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      <p aria-hidden="true" className="border-b border-line px-3 py-1.5 text-2xs font-semibold text-muted">
        {label}
      </p>
      <div id={id} role="listbox" aria-label={label} className="scroll-thin min-h-0 overflow-y-auto p-1 empty:hidden">
        {items.map((item, index) => (
          <div
            key={item.id}
            ref={index === at ? bringIntoView : undefined}
            id={optionId(id, index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            data-testid={`assistant-mention-option-${item.id}`}
            onPointerMove={index === at ? undefined : () => onPoint(index)}
            onClick={() => onPick(item)}
            onKeyDown={undefined}
            className={cx("flex min-h-8 items-center gap-2 rounded-md px-2 py-1 select-none", index === at && "bg-accent-soft")}
          >
            <Row item={item} />
          </div>
        ))}
      </div>
      {items.length === 0 ? (
        <p className="px-3 py-2.5 text-muted">
          {kind === "field"
            ? t("assistant.input.noField", { query: list.query })
            : list.query === ""
              ? t("assistant.input.noNodes")
              : t("assistant.input.noNode", { query: list.query })}
        </p>
      ) : null}
    </div>,
    document.querySelector("main") ?? document.body,
  );
}

function Row({ item }: { item: Suggestion }) {
  const { t } = useTranslation();
  if (item.kind === "command")
    return (
      <>
        <Terminal aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1">
          <span className="block truncate">
            {item.command.name}
            {item.command.argument === null ? null : <span className="text-muted"> {t(item.command.argument)}</span>}
          </span>
          <span className="block text-xs text-muted">{t(item.command.what)}</span>
        </span>
      </>
    );
  return (
    <>
      {item.kind === "node" ? (
        <NodeIcon name={item.icon} className="size-4 shrink-0 text-muted" />
      ) : (
        <SlidersHorizontal aria-hidden="true" className="size-4 shrink-0 text-muted" />
      )}
      <span className="min-w-0 flex-1 truncate">{item.title}</span>
      <span className="max-w-1/2 truncate text-xs text-faint">{item.kind === "node" ? item.id : item.name}</span>
    </>
  );
}
