import { Search, SearchX } from "lucide-react";
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { searchTemplates, type Template, templateTags } from "@/flow/templates";
import { part } from "@/lib/part";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Input } from "@/ui/Field";
import { Skeleton } from "@/ui/Skeleton";
import { TemplateCard } from "./TemplateCard";
import { useTagName } from "./useTagName";
import { useTemplates } from "./useTemplates";

const TemplatePreview = lazy(() => part(() => import("./TemplatePreview")));

export interface GalleryProps {
  /** The template that is looked at, by its id. */
  shown: string | null;
  onShow: (id: string | null) => void;
  onUse: (template: Template) => Promise<void> | void;
  useLabel: string;
  query?: string;
}

/** Every template, by category and by search, and a look at one of them. */
export function Gallery({ shown, onShow, onUse, useLabel, query: asked = "" }: GalleryProps) {
  const { t } = useTranslation();
  const templates = useTemplates();
  const [query, setQuery] = useState(asked);
  const [tag, setTag] = useState<string | null>(null);
  const grid = useRef<HTMLUListElement>(null);
  const open = useCallback((id: string) => onShow(id), [onShow]);
  const all = templates.data;
  const tags = useMemo(() => templateTags(all ?? []), [all]);
  const found = useMemo(
    () => searchTemplates(all ?? [], query).filter((each) => tag === null || each.tags.includes(tag)),
    [all, query, tag],
  );

  if (templates.isError) return <ErrorNotice error={templates.error} onRetry={() => void templates.refetch()} />;
  if (!all) return <Waiting />;

  const looked = all.find((each) => each.id === shown);
  if (looked) {
    const back = (): void => {
      onShow(null);
      // The card is there again with the next frame.
      requestAnimationFrame(() =>
        grid.current?.querySelector<HTMLElement>(`[data-template="${CSS.escape(looked.id)}"]`)?.focus(),
      );
    };
    return (
      <Suspense fallback={<Skeleton className="h-120 w-full" />}>
        <TemplatePreview template={looked} useLabel={useLabel} onUse={onUse} onBack={back} />
      </Suspense>
    );
  }
  return (
    <div className="flex min-h-0 flex-col gap-4 md:flex-row">
      <Categories tags={tags} total={all.length} current={tag} onPick={setTag} />
      <div className="min-w-0 flex-1">
        <div className="relative mb-3">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
          />
          <Input
            type="search"
            className="pl-8"
            aria-label={t("templates.search")}
            placeholder={t("templates.search")}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
        <p role="status" className="sr-only">
          {t("templates.found", { count: found.length })}
        </p>
        {found.length > 0 ? (
          <ul
            ref={grid}
            aria-label={t("templates.title")}
            className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-3"
          >
            {found.map((template) => (
              <TemplateCard key={template.id} template={template} onOpen={open} />
            ))}
          </ul>
        ) : (
          <EmptyState
            icon={<SearchX />}
            title={t("templates.nothing")}
            actions={
              <Button
                onClick={() => {
                  setQuery("");
                  setTag(null);
                }}
              >
                {t("templates.showAll")}
              </Button>
            }
          >
            {query.trim() === "" ? null : t("templates.nothingFor", { query: query.trim() })}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

function Categories({
  tags,
  total,
  current,
  onPick,
}: {
  tags: readonly { tag: string; count: number }[];
  total: number;
  current: string | null;
  onPick: (tag: string | null) => void;
}) {
  const { t } = useTranslation();
  const tagName = useTagName();
  const entry = (tag: string | null, label: string, count: number) => (
    <li key={tag ?? ""} className="shrink-0">
      <button
        type="button"
        aria-pressed={current === tag}
        className={cx(
          "flex h-8 w-full items-center gap-2 rounded-md px-2.5 text-left text-sm whitespace-nowrap hover:bg-hover",
          current === tag && "bg-accent-soft font-medium hover:bg-accent-soft",
        )}
        onClick={() => onPick(tag)}
      >
        <span className="flex-1">{label}</span>
        <span className="text-2xs text-muted">{count}</span>
      </button>
    </li>
  );
  return (
    <nav aria-label={t("templates.categories")} className="shrink-0 md:w-40">
      <ul className="scroll-thin flex gap-0.5 overflow-x-auto md:sticky md:top-0 md:flex-col">
        {entry(null, t("templates.all"), total)}
        {tags.map(({ tag, count }) => entry(tag, tagName(tag), count))}
      </ul>
    </nav>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      aria-label={t("common.loading")}
      className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-3"
    >
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} className="h-60" />
      ))}
    </div>
  );
}
