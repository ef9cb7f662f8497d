import { SearchX } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { WireFilter } from "@/flow/palette";
import type { PaletteMatch } from "@/flow/paletteSearch";
import { showKind } from "@/stores/palette";
import { Button } from "@/ui/Button";
import { PaletteRow, type RowActions } from "./PaletteRow";

export interface RowsShared {
  favourites: readonly string[];
  /** The row that Tab leads to. */
  current: string | null;
  /** The type that is being explained. */
  explained: string | null;
  actions: RowActions;
}

/** What the search found, best first. */
export function PaletteResults({
  matches,
  hidden,
  query,
  filter,
  onClear,
  favourites,
  current,
  explained,
  actions,
}: RowsShared & {
  matches: readonly PaletteMatch[];
  /** How many more there are among the legacy and beta ones. */
  hidden: number;
  query: string;
  filter: WireFilter | null;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  const searching = query.trim() !== "";
  const known = matches.some(({ item }) => item.type === current);
  return (
    <>
      <p role="status" className="sr-only">
        {t("palette.found", { count: matches.length })}
      </p>
      {matches.length > 0 ? (
        <ul aria-label={t("palette.results")}>
          {matches.map(({ item, where, label }, index) => (
            <PaletteRow
              key={item.type}
              item={item}
              place={item.type}
              note={where === "field" ? label : ""}
              starred={favourites.includes(item.type)}
              tabbable={known ? current === item.type : index === 0}
              first={searching && index === 0}
              explained={explained === item.type}
              actions={actions}
            />
          ))}
        </ul>
      ) : (
        <div className="flex flex-col items-center gap-2 px-2 py-8 text-center text-xs text-muted">
          <SearchX aria-hidden="true" className="size-5 text-faint" />
          <p className="w-full break-words">
            {searching
              ? t("palette.nothing", { query: query.trim() })
              : t("palette.nothingFits", { types: filter?.types.join(", ") ?? "" })}
          </p>
          <Button size="sm" onClick={onClear}>
            {searching ? t("palette.clear") : t("palette.clearFilter")}
          </Button>
        </div>
      )}
      {hidden > 0 ? (
        <Button
          size="sm"
          variant="ghost"
          className="mt-1 w-full text-muted"
          onClick={() => {
            showKind("legacy", true);
            showKind("beta", true);
          }}
        >
          {t("palette.hidden", { count: hidden })}
        </Button>
      ) : null}
    </>
  );
}
