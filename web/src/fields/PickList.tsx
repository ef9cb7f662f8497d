import { Check, Search } from "lucide-react";
import { matchSorter } from "match-sorter";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/ui/cx";
import { Spinner } from "@/ui/Spinner";

export interface PickItem {
  id: string;
  label: string;
  hint?: string;
  icon?: ReactNode;
  note?: ReactNode;
  group?: string;
  disabled?: boolean;
}

interface PickListProps {
  label: string;
  items: readonly PickItem[];
  selected: ReadonlySet<string>;
  multiple?: boolean;
  onPick: (id: string) => void;
  /** Given: what is typed may be taken although nobody offers it. */
  onFreeText?: (text: string) => void;
  loading?: boolean;
  empty: ReactNode;
  footer?: ReactNode;
}

const SEARCH_FROM = 8;
const MOST = 200;

/** Options to pick from with mouse or keyboard; long lists can be searched. */
export function PickList({
  label,
  items,
  selected,
  multiple = false,
  onPick,
  onFreeText,
  loading = false,
  empty,
  footer,
}: PickListProps) {
  const { t } = useTranslation();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState("");
  const wanted = search.trim();
  const matching = wanted === "" ? items : matchSorter(items, wanted, { keys: ["label", "hint", "group"] });
  const shown = matching.slice(0, MOST);
  const [active, setActive] = useState(() => Math.max(0, items.findIndex((item) => selected.has(item.id))));
  const searchable = items.length > SEARCH_FROM || onFreeText !== undefined;
  const own = onFreeText && wanted !== "" && !items.some((item) => item.label === wanted) ? wanted : null;
  const count = shown.length + (own === null ? 0 : 1);
  const at = Math.min(active, Math.max(0, count - 1));

  const pick = (index: number) => {
    if (index === shown.length && own !== null) onFreeText?.(own);
    const item = shown[index];
    if (item && !item.disabled) onPick(item.id);
  };
  const go = (index: number) => {
    const next = Math.max(0, Math.min(count - 1, index));
    setActive(next);
    list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 };
    if (!searchable) Object.assign(moves, { Home: 0, End: count - 1 });
    const move = moves[event.key];
    if (move !== undefined) go(move);
    else if (event.key === "Enter" || (event.key === " " && !searchable)) pick(at);
    else return;
    event.preventDefault();
  };
  const pointer = {
    "aria-activedescendant": count > 0 ? `${id}-${at}` : undefined,
    onKeyDown,
  };

  return (
    <>
      {searchable ? (
        <div className="relative border-b border-line p-1.5">
          <Search aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3.5 size-3.5 -translate-y-1/2 text-faint" />
          <input
            {...pointer}
            role="combobox"
            aria-controls={`${id}-list`}
            aria-expanded="true"
            aria-autocomplete="list"
            aria-label={t("fields.searchIn", { name: label })}
            placeholder={onFreeText ? t("fields.searchOrType") : t("fields.search")}
            autoComplete="off"
            spellCheck={false}
            className="h-7 w-full rounded-md bg-bg pr-2 pl-7 text-sm outline-none focus-visible:outline-2 focus-visible:outline-accent"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              setActive(0);
            }}
          />
        </div>
      ) : null}
      {loading ? (
        <p role="status" className="flex items-center gap-2 px-3 py-3 text-muted">
          <Spinner /> {t("common.loading")}
        </p>
      ) : count === 0 ? (
        <div className="px-3 py-3 text-muted">{wanted === "" ? empty : t("fields.nothingFound")}</div>
      ) : null}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={multiple || undefined}
        tabIndex={searchable || count === 0 ? -1 : 0}
        className={cx("scroll-thin min-h-0 flex-1 overflow-y-auto outline-none", count > 0 && "p-1")}
        {...(searchable ? {} : pointer)}
      >
        {shown.map((item, index) => (
          <Option
            key={item.id}
            id={`${id}-${index}`}
            item={item}
            heading={item.group !== undefined && item.group !== shown[index - 1]?.group ? item.group : null}
            active={index === at}
            chosen={selected.has(item.id)}
            onHover={() => setActive(index)}
            onPick={() => pick(index)}
          />
        ))}
        {own !== null ? (
          <Option
            id={`${id}-${shown.length}`}
            item={{ id: own, label: t("fields.useText", { text: own }) }}
            heading={null}
            active={at === shown.length}
            chosen={false}
            onHover={() => setActive(shown.length)}
            onPick={() => pick(shown.length)}
          />
        ) : null}
      </div>
      {matching.length > MOST ? (
        <p className="px-3 py-1.5 text-xs text-muted">{t("fields.moreFound", { count: matching.length - MOST })}</p>
      ) : null}
      {footer ? <div className="border-t border-line p-1">{footer}</div> : null}
    </>
  );
}

function Option({
  id,
  item,
  heading,
  active,
  chosen,
  onHover,
  onPick,
}: {
  id: string;
  item: PickItem;
  heading: string | null;
  active: boolean;
  chosen: boolean;
  onHover: () => void;
  onPick: () => void;
}) {
  return (
    <>
      {heading !== null ? (
        <div role="presentation" className="px-2 pt-2 pb-1 text-2xs font-semibold text-muted">
          {heading}
        </div>
      ) : null}
      {/* Keys are handled where the focus is: at the search field or the list. */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={chosen}
        aria-disabled={item.disabled || undefined}
        onPointerMove={active ? undefined : onHover}
        onClick={onPick}
        onKeyDown={undefined}
        className={cx(
          "flex min-h-8 items-center gap-2 rounded-md px-2 py-1 select-none",
          active && "bg-hover",
          item.disabled && "text-faint",
        )}
      >
        {item.icon}
        <span className="min-w-0 flex-1">
          <span className="block truncate">{item.label}</span>
          {item.hint ? <span className="block truncate text-xs text-muted">{item.hint}</span> : null}
        </span>
        {item.note}
        <Check aria-hidden="true" className={cx("size-3.5 shrink-0 text-accent", !chosen && "invisible")} />
      </div>
    </>
  );
}

/** A line under a list that does something. */
export function PickAction({ icon, children, onClick }: { icon: ReactNode; children: ReactNode; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left hover:bg-hover *:[svg]:size-4 *:[svg]:shrink-0 *:[svg]:text-muted"
    >
      {icon}
      {children}
    </button>
  );
}
