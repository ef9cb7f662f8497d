import { Search } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { NodeIcon } from "@/canvas/icons/NodeIcon";
import type { Descriptor, Registry } from "@/flow/edit/registry";
import { isShown, paletteItems } from "@/flow/palette";
import { searchPalette } from "@/flow/paletteSearch";
import { rememberAdded, usePalette } from "@/stores/palette";
import { cx } from "@/ui/cx";
import { useCategoryName } from "./useCategoryName";

export interface QuickAddProps {
  registry: Registry;
  /** Where on the screen its upper left corner is to be. */
  at: { x: number; y: number };
  /** Which components may be picked; null for all. */
  fits: ((component: Descriptor) => boolean) | null;
  /** The types on the wire that asks, to say when nothing fits. */
  types?: readonly string[];
  onPick: (type: string) => void;
  onClose: () => void;
}

const EDGE = 8;

/** The palette's search at a point of the canvas. */
export function QuickAdd({ registry, at, fits, types, onPick, onClose }: QuickAddProps) {
  const { t } = useTranslation();
  const categoryName = useCategoryName();
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const { favourites, recent, legacy, beta } = usePalette();

  const fitting = useMemo(() => {
    const before = [...new Set([...recent, ...favourites])];
    const rank = (type: string): number => (before.includes(type) ? before.indexOf(type) : before.length);
    return paletteItems(registry)
      .filter((item) => isShown(item, { legacy, beta }) && (fits?.(item.component) ?? true))
      .toSorted((a, b) => rank(a.type) - rank(b.type));
  }, [registry, fits, recent, favourites, legacy, beta]);
  // A long list is drawn after the letter that asked for it.
  const drawn = useDeferredValue(query);
  const found = useMemo(() => searchPalette(fitting, drawn, categoryName), [fitting, drawn, categoryName]);
  const current = Math.min(active, found.length - 1);

  useLayoutEffect(() => {
    const before = document.activeElement;
    const popup = box.current;
    input.current?.focus({ preventScroll: true });
    return () => {
      if (popup?.contains(document.activeElement) && before instanceof HTMLElement)
        before.focus({ preventScroll: true });
    };
  }, []);
  useLayoutEffect(() => {
    const popup = box.current;
    if (!popup) return;
    const { width, height } = popup.getBoundingClientRect();
    popup.style.left = `${Math.max(EDGE, Math.min(at.x, innerWidth - width - EDGE))}px`;
    popup.style.top = `${Math.max(EDGE, Math.min(at.y, innerHeight - height - EDGE))}px`;
  }, [at.x, at.y]);
  useEffect(() => {
    document.getElementById(`${listId}-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [listId, current]);
  useEffect(() => {
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose();
    };
    window.addEventListener("pointerdown", outside, true);
    return () => window.removeEventListener("pointerdown", outside, true);
  }, [onClose]);

  const pick = (index: number): void => {
    const [first] = drawn === query ? [] : searchPalette(fitting, query, categoryName);
    const match = drawn === query ? found[index] : first;
    if (!match) return;
    rememberAdded(match.item.type);
    onPick(match.item.type);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const last = found.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: current >= last ? 0 : current + 1,
      ArrowUp: current <= 0 ? last : current - 1,
      PageDown: Math.min(last, current + 8),
      PageUp: Math.max(0, current - 8),
    };
    const next = moves[event.key];
    if (next !== undefined) setActive(next);
    else if (event.key === "Enter") pick(current);
    else if (event.key === "Escape" || event.key === "Tab") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return createPortal(
    <div
      ref={box}
      role="dialog"
      aria-label={t("palette.quickAdd")}
      className="fixed z-40 flex h-80 w-72 flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-3"
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-3">
        <Search aria-hidden="true" className="size-4 shrink-0 text-faint" />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={t("palette.search")}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${listId}-${current}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={t("palette.quickAdd")}
          value={query}
          className="h-10 min-w-0 flex-1 bg-transparent text-sm outline-none"
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label={t("palette.results")}
        className="scroll-thin min-h-0 flex-1 overflow-y-auto p-1"
      >
        {found.map(({ item, where, label }, index) => (
          <div
            key={item.type}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            className={cx("flex h-8 items-center gap-2 rounded-md px-2 text-xs", index === current && "bg-accent-soft")}
            onPointerMove={() => setActive(index)}
            onClick={() => pick(index)}
            onKeyDown={() => {}}
          >
            <NodeIcon name={item.icon} className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate">{item.name}</span>
            <span className="max-w-[45%] shrink-0 truncate text-2xs text-faint">
              {where === "field" ? label : categoryName(item.category)}
            </span>
          </div>
        ))}
      </div>
      {found.length === 0 ? (
        <p className="absolute inset-x-0 top-20 px-4 text-center text-xs text-muted">
          {fitting.length === 0 && fits
            ? t("palette.nothingFits", { types: types?.join(", ") ?? "" })
            : t("palette.nothing", { query: query.trim() })}
        </p>
      ) : null}
      <p className="line-clamp-2 h-11 shrink-0 border-t border-line px-3 py-1.5 text-2xs text-muted">
        {found[current]?.item.description}
      </p>
      <p role="status" className="sr-only">
        {t("palette.found", { count: found.length })}
      </p>
    </div>,
    document.body,
  );
}
