import { ArrowDownWideNarrow, LayoutGrid, List, Plus, Search, Upload, X } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ariaKeys } from "@/lib/keys";
import { askForNewFlow } from "@/stores/intents";
import { type FlowOrder, type FlowView, setPreference, usePreferences } from "@/stores/preferences";
import { useKeys } from "@/stores/shortcuts";
import { Button, IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Input } from "@/ui/Field";
import { Kbd } from "@/ui/Kbd";
import { Select } from "@/ui/Select";
import { Tooltip } from "@/ui/Tooltip";

function ViewButton({ view, label }: { view: FlowView; label: string }) {
  const current = usePreferences((state) => state.flowView) === view;
  const Icon = view === "cards" ? LayoutGrid : List;
  return (
    <Tooltip label={label}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={current}
        onClick={() => setPreference("flowView", view)}
        className={cx(
          "flex h-full w-8 items-center justify-center rounded-[5px] transition-colors",
          current ? "bg-hover text-ink" : "text-muted hover:text-ink",
        )}
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </Tooltip>
  );
}

export function FlowToolbar({
  search,
  onSearch,
  searchRef,
  onImport,
}: {
  search: string;
  onSearch: (search: string) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  onImport: () => void;
}) {
  const { t } = useTranslation();
  const order = usePreferences((state) => state.flowOrder);
  const searchKeys = useKeys("search");
  const [text, setText] = useState(search);

  const [seen, setSeen] = useState(search);
  if (search !== seen) {
    setSeen(search);
    setText(search);
  }

  useEffect(() => {
    if (text === search) return;
    const timer = setTimeout(() => onSearch(text), 250);
    return () => clearTimeout(timer);
  }, [text, search, onSearch]);

  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="relative min-w-40 flex-1 sm:max-w-80">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
        />
        <Input
          ref={searchRef}
          type="search"
          aria-label={t("projects.search")}
          aria-keyshortcuts={searchKeys ? ariaKeys(searchKeys) : undefined}
          placeholder={t("projects.search")}
          value={text}
          className="pr-8 pl-8 [&::-webkit-search-cancel-button]:hidden"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") onSearch(text);
            if (event.key === "Escape" && text) {
              event.stopPropagation();
              setText("");
              onSearch("");
            }
          }}
        />
        <span className="absolute top-1/2 right-1.5 flex -translate-y-1/2">
          {text ? (
            <button
              type="button"
              aria-label={t("projects.clearSearch")}
              className="flex size-6 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
              onClick={() => {
                setText("");
                onSearch("");
                searchRef.current?.focus();
              }}
            >
              <X aria-hidden="true" className="size-3.5" />
            </button>
          ) : (
            <span aria-hidden="true" className="pointer-coarse:hidden max-sm:hidden">
              <Kbd keys={searchKeys} />
            </span>
          )}
        </span>
      </div>
      <div className="flex items-center gap-2">
        <Select<FlowOrder>
          aria-label={t("projects.sort")}
          value={order}
          onChange={(value) => setPreference("flowOrder", value)}
          className="w-40"
          options={[
            { value: "updated_at:desc", label: t("projects.sortUpdated") },
            { value: "created_at:desc", label: t("projects.sortCreated") },
            { value: "name:asc", label: t("projects.sortName") },
            { value: "name:desc", label: t("projects.sortNameDown") },
          ]}
          icon={<ArrowDownWideNarrow aria-hidden="true" className="size-4 text-faint" />}
        />
        <div
          role="group"
          aria-label={t("projects.view")}
          className="flex h-(--control-h) rounded-md border border-line-strong bg-surface p-0.5"
        >
          <ViewButton view="cards" label={t("projects.viewCards")} />
          <ViewButton view="list" label={t("projects.viewList")} />
        </div>
      </div>
      <div className="ml-auto flex items-center gap-2">
        <IconButton
          label={t("projects.import")}
          variant="secondary"
          className="sm:hidden"
          icon={<Upload className="size-4" />}
          onClick={onImport}
        />
        <Button
          className="max-sm:hidden"
          icon={<Upload aria-hidden="true" className="size-4" />}
          onClick={onImport}
        >
          {t("projects.import")}
        </Button>
        <Button
          variant="primary"
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => askForNewFlow()}
        >
          <span className="max-sm:sr-only">{t("projects.newFlow")}</span>
        </Button>
      </div>
    </div>
  );
}
