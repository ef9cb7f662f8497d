import { Search, SlidersHorizontal, SquareCode, StickyNote, X } from "lucide-react";
import {
  type KeyboardEvent,
  type Ref,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { Registry } from "@/flow/edit/registry";
import { CUSTOM_TYPE, fitsWire, isShown, NOTE_TYPE, paletteItems, type WireFilter } from "@/flow/palette";
import { searchPalette } from "@/flow/paletteSearch";
import { rememberAdded, toggleFavourite, usePalette } from "@/stores/palette";
import { IconButton } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Input } from "@/ui/Field";
import { PaletteBrowse } from "./PaletteBrowse";
import { PaletteHelp } from "./PaletteHelp";
import { PaletteKinds } from "./PaletteKinds";
import { FilterLine, Pinned, Waiting } from "./PaletteParts";
import { PaletteResults } from "./PaletteResults";
import type { RowActions } from "./PaletteRow";
import { moveFocus, useStable } from "./rows";
import { useCategoryName } from "./useCategoryName";
import { useHelp } from "./useHelp";
import { usePaletteSync } from "./usePaletteSync";

export interface PaletteHandle {
  focusSearch: () => void;
}

export interface PaletteProps {
  /** Null while it is on its way. */
  registry: Registry | null;
  error?: unknown;
  onRetry?: () => void;
  onAdd: (type: string) => void;
  onNote: () => void;
  onClose: () => void;
  /** Only what fits the loose end of a wire. */
  filter?: WireFilter | null;
  onClearFilter?: () => void;
  ref?: Ref<PaletteHandle>;
}

/** Every component there is: search, browse, drag or Enter to add. */
export function Palette({
  registry,
  error,
  onRetry,
  onAdd,
  onNote,
  onClose,
  filter = null,
  onClearFilter,
  ref,
}: PaletteProps) {
  const { t } = useTranslation();
  const categoryName = useCategoryName();
  const state = usePalette();
  usePaletteSync();
  const [query, setQuery] = useState("");
  const [kinds, setKinds] = useState(false);
  const [current, setCurrent] = useState<string | null>(null);
  const { explained, ...help } = useHelp();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({ focusSearch: () => input.current?.select() }), []);

  const all = useMemo(() => (registry ? paletteItems(registry) : []), [registry]);
  const fitting = useMemo(() => (filter ? all.filter((item) => fitsWire(item, filter)) : all), [all, filter]);
  // A long list is drawn after the letter that asked for it.
  const drawn = useDeferredValue(query);
  const matches = useMemo(
    () => (drawn.trim() === "" && !filter ? null : searchPalette(fitting, drawn, categoryName)),
    [fitting, filter, drawn, categoryName],
  );
  const shown = matches?.filter(({ item }) => isShown(item, state)) ?? null;

  const add = (type: string): void => {
    help.hide();
    rememberAdded(type);
    onAdd(type);
  };
  const actions: RowActions = {
    add,
    star: toggleFavourite,
    dropped: rememberAdded,
    help: help.show,
    focused: setCurrent,
  };
  const stable = useStable(actions);

  const addBest = (sought: string): void => {
    const best = searchPalette(fitting, sought, categoryName).find(({ item }) => isShown(item, state));
    if (best && sought.trim() !== "") add(best.item.type);
  };
  // What Enter was pressed for before the list was there is added when it is.
  const early = useRef<string[]>([]);
  const addEarly = useEffectEvent(() => {
    for (const sought of early.current.splice(0)) addBest(sought);
  });
  useEffect(() => {
    if (registry !== null) addEarly();
  }, [registry]);

  const onSearchKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") moveFocus(list.current, 1);
    else if (event.key === "Enter") {
      if (registry === null) early.current.push(query);
      else addBest(query);
    } else if (event.key === "Escape") {
      if (query !== "") setQuery("");
      else if (filter) onClearFilter?.();
      else onClose();
    } else return;
    event.preventDefault();
  };
  const onListKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) {
      if (!moveFocus(list.current, step)) input.current?.focus();
    } else if (event.key === "Home" || event.key === "End") {
      moveFocus(list.current, event.key === "Home" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
    } else if (event.key === "Escape" || event.key === "/") {
      help.hide();
      input.current?.select();
    } else if (/^[\p{L}\p{N}]$/u.test(event.key)) {
      // Typing goes on in the field.
      input.current?.focus();
      return;
    } else return;
    event.preventDefault();
  };

  const shared = {
    favourites: state.favourites,
    current,
    explained: explained?.item.type ?? null,
    actions: stable,
  };
  return (
    <aside
      aria-label={t("palette.title")}
      className="absolute inset-y-0 left-0 z-20 flex w-56 shrink-0 flex-col border-r border-line bg-surface shadow-3 md:relative md:shadow-none"
    >
      <div className="flex shrink-0 items-center gap-0.5 p-2">
        <div className="relative min-w-0 flex-1">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-faint"
          />
          <Input
            ref={input}
            type="search"
            className="pr-1 pl-7"
            aria-label={t("palette.search")}
            placeholder={t("palette.searchHint")}
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={(event) => {
              help.hide();
              setQuery(event.target.value);
            }}
            onKeyDown={onSearchKey}
          />
        </div>
        <IconButton
          size="sm"
          label={t("palette.kinds")}
          aria-expanded={kinds}
          aria-controls="palette-kinds"
          icon={<SlidersHorizontal className="size-3.5" />}
          onClick={() => setKinds(!kinds)}
        />
        <IconButton size="sm" label={t("palette.close")} icon={<X className="size-3.5" />} onClick={onClose} />
      </div>
      {kinds ? <PaletteKinds id="palette-kinds" items={all} legacy={state.legacy} beta={state.beta} /> : null}
      {filter ? <FilterLine filter={filter} onClear={onClearFilter} /> : null}
      <div
        ref={list}
        role="presentation"
        className="scroll-thin min-h-0 flex-1 overflow-y-auto px-2 pb-2"
        onScroll={(event) => help.scrolled(event.currentTarget)}
        onKeyDown={onListKey}
      >
        {error ? (
          <ErrorNotice error={error} {...(onRetry ? { onRetry } : {})} />
        ) : registry === null ? (
          <Waiting />
        ) : shown ? (
          <PaletteResults
            matches={shown}
            hidden={(matches?.length ?? 0) - shown.length}
            query={drawn}
            filter={filter}
            onClear={() => {
              setQuery("");
              if (query.trim() === "") onClearFilter?.();
              input.current?.focus();
            }}
            {...shared}
          />
        ) : (
          <PaletteBrowse items={all} state={state} categoryName={categoryName} {...shared} />
        )}
      </div>
      <div className="flex shrink-0 flex-col border-t border-line p-2">
        <Pinned
          icon={<StickyNote aria-hidden="true" className="size-4 text-muted" />}
          label={t("palette.note")}
          type={NOTE_TYPE}
          onAdd={onNote}
        />
        {registry?.byType.has(CUSTOM_TYPE) ? (
          <Pinned
            icon={<SquareCode aria-hidden="true" className="size-4 text-muted" />}
            label={t("palette.custom")}
            type={CUSTOM_TYPE}
            onAdd={() => add(CUSTOM_TYPE)}
          />
        ) : null}
      </div>
      {explained ? (
        <PaletteHelp {...explained} onEnter={help.keep} onLeave={help.hide} />
      ) : null}
    </aside>
  );
}
