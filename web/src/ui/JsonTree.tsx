import { ChevronRight, Copy, Route } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { scalarText, toJson } from "@/flow/json";
import { findInTree, pathText, type TreeRow, treeRows } from "@/flow/jsonTree";
import { Button } from "./Button";
import { copyText } from "./copyText";
import { cx } from "./cx";
import { Input } from "./Field";
import { showToast } from "./toasts";
import { toastError } from "./toastError";
import { useWindowed } from "./useWindowed";

const ROW = 24;
const VIEW = 360;
// Deeper ones are opened by hand: a large answer must not draw thousands of lines at once.
const OPEN_LEVELS = 2;
const FEW = 8;

/** A value as a tree: arrow keys walk it, what is in view is drawn, path and value of a line can be copied. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const [currentId, setCurrentId] = useState<string | null>(null);
  const search = useMemo(() => findInTree(value, words), [value, words]);
  const rows = useMemo(
    () => treeRows(value, (id, level) => search.within.has(id) || (level < OPEN_LEVELS) !== turned.has(id)),
    [value, search, turned],
  );
  const current = Math.max(
    0,
    rows.findIndex((row) => row.id === currentId),
  );
  const view = useWindowed(rows.length, ROW, VIEW);
  const list = useRef<HTMLDivElement>(null);
  const base = useId();

  const go = (index: number): void => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    setCurrentId(rows[to]?.id ?? null);
    const box = list.current;
    if (!box) return;
    if (to * ROW < box.scrollTop) box.scrollTop = to * ROW;
    else if ((to + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (to + 1) * ROW - box.clientHeight;
  };
  const turn = (row: TreeRow): void => {
    setTurned((now) => {
      const next = new Set(now);
      if (!next.delete(row.id)) next.add(row.id);
      return next;
    });
  };
  const row = rows[current];
  // A handful of lines is read faster than searched.
  const searchable = words !== "" || rows.length > FEW || rows.some((item) => item.count && !item.open);
  const onKey = (event: KeyboardEvent): void => {
    if (!row) return;
    const isParent = row.count !== null && row.count > 0;
    const parent = rows.findLastIndex((other, index) => index < current && other.level < row.level);
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(current + 1),
      ArrowUp: () => go(current - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (isParent && !row.open ? turn(row) : go(current + 1)),
      ArrowLeft: () => (row.open ? turn(row) : parent >= 0 ? go(parent) : undefined),
      Enter: () => (isParent ? turn(row) : undefined),
      " ": () => (isParent ? turn(row) : undefined),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  const onPress = (event: MouseEvent<HTMLElement>): void => {
    const pressed = (event.target as HTMLElement).closest<HTMLElement>("[data-row]")?.dataset.row ?? "";
    const item = rows[Number(pressed.slice(base.length + 1) || Number.NaN)];
    if (!item) return;
    setCurrentId(item.id);
    if (item.count !== null && item.count > 0) turn(item);
  };
  const copy = (text: string): void => {
    copyText(text).then(() => showToast({ message: t("common.copied") }), toastError);
  };

  return (
    <div className="rounded-md border border-line bg-surface">
      <div className={cx("flex items-center gap-2 border-b border-line p-1", !searchable && "hidden")}>
        <Input
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          aria-label={t("runs.value.search")}
          placeholder={t("runs.value.search")}
          className="h-6 flex-1 px-2 text-xs"
        />
        {words.trim() === "" ? null : (
          <span role="status" className="shrink-0 text-2xs text-muted">
            {t("runs.value.hits", { count: search.hits.size })}
          </span>
        )}
      </div>
      <div
        ref={list}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={row ? `${base}-${current}` : undefined}
        onKeyDown={onKey}
        onClick={onPress}
        onScroll={view.onScroll}
        className="scroll-thin max-h-90 overflow-auto font-mono text-2xs focus-visible:-outline-offset-2"
      >
        <div role="presentation" style={{ height: view.before }} />
        {rows.slice(view.from, view.to).map((item, index) => (
          <Row
            key={item.id}
            id={`${base}-${view.from + index}`}
            row={item}
            current={view.from + index === current}
            hit={search.hits.has(item.id)}
          />
        ))}
        <div role="presentation" style={{ height: view.after }} />
      </div>
      <div className="flex items-center gap-1 border-t border-line p-1 text-2xs">
        <span className="min-w-0 flex-1 truncate px-1 font-mono text-muted" title={pathText(row?.path ?? [])}>
          {pathText(row?.path ?? [])}
        </span>
        <Button
          size="sm"
          variant="ghost"
          className="h-6"
          icon={<Route aria-hidden="true" className="size-3" />}
          onClick={() => copy(pathText(row?.path ?? []))}
        >
          {t("runs.value.copyPath")}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="h-6"
          icon={<Copy aria-hidden="true" className="size-3" />}
          onClick={() => copy(valueText(row?.value))}
        >
          {t("runs.value.copyValue")}
        </Button>
      </div>
    </div>
  );
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : (toJson(value, 2) ?? "");
}

function Row({
  id,
  row,
  current,
  hit,
}: {
  id: string;
  row: TreeRow;
  current: boolean;
  hit: boolean;
}) {
  const isParent = row.count !== null;
  return (
    <div
      id={id}
      data-row={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={Math.max(1, row.level)}
      aria-selected={current}
      aria-expanded={isParent && row.count !== 0 ? row.open : undefined}
      style={{ height: ROW, paddingLeft: (Math.max(1, row.level) - 1) * 14 + 4 }}
      className={cx(
        "flex cursor-default items-center gap-1 pr-2 whitespace-nowrap",
        current ? "bg-accent-soft" : "hover:bg-hover",
      )}
    >
      <ChevronRight
        aria-hidden="true"
        className={cx(
          "size-3 shrink-0 text-faint",
          row.open && "rotate-90",
          (!isParent || row.count === 0) && "invisible",
        )}
      />
      {row.label === "" ? null : (
        <span className={cx("shrink-0 text-muted", hit && "rounded-sm bg-warn-soft font-semibold text-warn")}>
          {`${row.label}:`}
        </span>
      )}
      <Value row={row} />
    </div>
  );
}

function Value({ row: { value, count } }: { row: TreeRow }) {
  if (count !== null) return <span className="text-faint">{Array.isArray(value) ? `[${count}]` : `{${count}}`}</span>;
  if (typeof value === "string") return <span className="truncate text-ok">{JSON.stringify(value.slice(0, 400))}</span>;
  return <span className="text-accent">{value === null ? "null" : scalarText(value)}</span>;
}
