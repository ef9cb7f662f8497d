import { ChevronDown } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { byCategory, CUSTOM_TYPE, isShown, type PaletteItem, type Shown } from "@/flow/palette";
import { fold } from "@/stores/palette";
import { cx } from "@/ui/cx";
import type { RowsShared } from "./PaletteResults";
import { PaletteRow } from "./PaletteRow";

interface Section {
  id: string;
  title: string;
  items: readonly PaletteItem[];
}

/** Favourites, what was used last, and every category. */
export function PaletteBrowse({
  items,
  state,
  categoryName,
  favourites,
  current,
  explained,
  actions,
}: RowsShared & {
  items: readonly PaletteItem[];
  state: Shown & { recent: readonly string[]; folded: readonly string[] };
  categoryName: (category: string) => string;
}) {
  const { t } = useTranslation();
  const { recent, folded, legacy, beta } = state;
  const sections = useMemo((): Section[] => {
    const named = new Map(items.map((item) => [item.type, item]));
    const listed = (types: readonly string[]): PaletteItem[] => types.flatMap((type) => named.get(type) ?? []);
    // The one that is still to be written stands at the foot of the palette.
    const shown = items.filter((item) => isShown(item, { legacy, beta }) && item.type !== CUSTOM_TYPE);
    return [
      { id: "favourites", title: t("palette.favourites"), items: listed(favourites) },
      { id: "recent", title: t("palette.recent"), items: listed(recent) },
      ...byCategory(shown).map((group) => ({
        id: `category:${group.category}`,
        title: categoryName(group.category),
        items: group.items,
      })),
    ].filter((section) => section.items.length > 0);
  }, [items, favourites, recent, legacy, beta, categoryName, t]);
  const stops = sections.flatMap(({ id, items }) =>
    folded.includes(id) ? [id] : [id, ...items.map((item) => `${id}/${item.type}`)],
  );
  const tabStop = current !== null && stops.includes(current) ? current : stops[0];

  return sections.map(({ id, title, items }) => {
    const open = !folded.includes(id);
    return (
      <section key={id} aria-label={title}>
        <h2 className="sticky top-0 z-1 bg-surface">
          <button
            type="button"
            data-stop={id}
            tabIndex={tabStop === id ? 0 : -1}
            aria-expanded={open}
            className="flex h-7 w-full items-center gap-1 rounded-md px-1 text-2xs font-semibold text-muted hover:text-ink focus-visible:-outline-offset-2"
            onFocus={() => actions.focused(id)}
            onClick={() => fold(id, open)}
            onKeyDown={(event) => {
              if (event.key === "ArrowLeft") fold(id, true);
              else if (event.key === "ArrowRight") fold(id, false);
            }}
          >
            <ChevronDown
              aria-hidden="true"
              className={cx("size-3.5 transition-transform", !open && "-rotate-90")}
            />
            <span className="min-w-0 flex-1 truncate text-left">{title}</span>
            <span className="pr-1 font-normal text-faint">{items.length}</span>
          </button>
        </h2>
        {open ? (
          <ul>
            {items.map((item) => {
              const place = `${id}/${item.type}`;
              return (
                <PaletteRow
                  key={item.type}
                  item={item}
                  place={place}
                  note=""
                  starred={favourites.includes(item.type)}
                  tabbable={tabStop === place}
                  first={false}
                  explained={explained === item.type}
                  actions={actions}
                />
              );
            })}
          </ul>
        ) : null}
      </section>
    );
  });
}
