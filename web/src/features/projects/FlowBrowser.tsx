import { FileUp, LayoutTemplate, Plus, SearchX, Upload, Workflow } from "lucide-react";
import { type KeyboardEvent, lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FlowHeader } from "@/api/types";
import { askForNewFlow, openTemplates } from "@/stores/intents";
import { isTyping } from "@/lib/keys";
import { usePreferences } from "@/stores/preferences";
import { matches } from "@/stores/shortcuts";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Skeleton } from "@/ui/Skeleton";
import { deleteWithUndo } from "./actions";
import { BulkBar } from "./BulkBar";
import { FlowItem } from "./FlowItem";
import { useFlows } from "./useFlows";
import { useSelection } from "./useSelection";

const EditFlowDialog = lazy(() => import("./EditFlowDialog"));

const gridClass = "grid grid-cols-[repeat(auto-fill,minmax(min(280px,100%),1fr))] gap-3";

export function FlowSkeletons({ view, label }: { view: "cards" | "list"; label: string }) {
  return (
    <div role="status" aria-label={label} className={view === "cards" ? gridClass : "space-y-1"}>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} className={view === "cards" ? "h-36 rounded-lg" : "h-(--row-h)"} />
      ))}
    </div>
  );
}

/** The arrow keys move between the flows' links; in the grid, up and down go by what is above and below. */
function moveFocus(list: HTMLElement, key: string, view: "cards" | "list"): boolean {
  const links = [...list.querySelectorAll<HTMLElement>("[data-flow-link]")];
  const now = links.indexOf(document.activeElement as HTMLElement);
  if (now < 0) return false;
  const columns =
    view === "list" ? 1 : getComputedStyle(list).gridTemplateColumns.split(" ").filter(Boolean).length;
  const steps: Record<string, number> = {
    ArrowDown: columns,
    ArrowUp: -columns,
    ...(view === "cards" ? { ArrowRight: 1, ArrowLeft: -1 } : {}),
  };
  const target =
    key === "Home" ? links[0] : key === "End" ? links.at(-1) : links[now + (steps[key] ?? Number.NaN)];
  target?.focus();
  return key in steps || key === "Home" || key === "End";
}

export function FlowBrowser({
  projectId,
  search,
  onImport,
  onClearSearch,
}: {
  projectId: string | null;
  search: string;
  onImport: () => void;
  onClearSearch: () => void;
}) {
  const { t } = useTranslation();
  const view = usePreferences((state) => state.flowView);
  const flows = useFlows(projectId, search);
  const items = useMemo(() => flows.data?.pages.flatMap((page) => page.items) ?? [], [flows.data]);
  const ids = useMemo(() => items.map((flow) => flow.id), [items]);
  const { selected, toggle, all, clear } = useSelection(ids);
  const [editing, setEditing] = useState<FlowHeader | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const sentinel = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = flows;

  useEffect(() => {
    const end = sentinel.current;
    if (!end || !hasNextPage) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting) && !isFetchingNextPage) void fetchNextPage();
      },
      { rootMargin: "400px" },
    );
    observer.observe(end);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  if (flows.isPending) return <FlowSkeletons view={view} label={t("common.loading")} />;
  if (flows.isError) return <ErrorNotice error={flows.error} onRetry={() => void flows.refetch()} />;
  if (items.length === 0) {
    return search ? (
      <EmptyState
        icon={<SearchX />}
        title={t("projects.noMatchTitle")}
        actions={<Button onClick={onClearSearch}>{t("projects.clearSearch")}</Button>}
      >
        {t("projects.noMatch", { search })}
      </EmptyState>
    ) : (
      <EmptyState
        icon={<Workflow />}
        title={t("projects.emptyTitle")}
        actions={
          <>
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => askForNewFlow()}
            >
              {t("projects.newFlow")}
            </Button>
            <Button
              icon={<LayoutTemplate aria-hidden="true" className="size-4" />}
              onClick={() => openTemplates()}
            >
              {t("templates.fromTemplate")}
            </Button>
            <Button icon={<Upload aria-hidden="true" className="size-4" />} onClick={onImport}>
              {t("projects.import")}
            </Button>
          </>
        }
      >
        <p>{t("projects.empty")}</p>
        <p className="mt-4 flex items-center justify-center gap-2 rounded-lg border border-dashed border-line-strong px-4 py-3">
          <FileUp aria-hidden="true" className="size-4" />
          {t("projects.emptyDrop")}
        </p>
      </EmptyState>
    );
  }

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    if (isTyping(event.target)) return;
    const id = (event.target as HTMLElement).dataset.flowLink;
    const flow = items.find((each) => each.id === id);
    if (event.key === "Escape" && selected.size > 0) clear();
    if (!flow) return;
    if (moveFocus(event.currentTarget, event.key, view)) {
      event.preventDefault();
    } else if (matches(event.nativeEvent, "selectFlow") || matches(event.nativeEvent, "selectUpTo")) {
      event.preventDefault();
      toggle(flow.id, !selected.has(flow.id), matches(event.nativeEvent, "selectUpTo"));
    } else if (matches(event.nativeEvent, "renameFlow") && !flow.locked) {
      event.preventDefault();
      setEditing(flow);
    } else if (matches(event.nativeEvent, "deleteFlow") && !flow.locked) {
      event.preventDefault();
      const next = ids[ids.indexOf(flow.id) + 1] ?? ids[ids.indexOf(flow.id) - 1];
      void deleteWithUndo([flow]).then(() => {
        list.current?.querySelector<HTMLElement>(`[data-flow-link="${CSS.escape(next ?? "")}"]`)?.focus();
      });
    } else if (matches(event.nativeEvent, "selectAllFlows")) {
      event.preventDefault();
      all();
    }
  };

  const chosen = items.filter((flow) => selected.has(flow.id));
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys move between the links inside */}
      <ul
        key={view}
        ref={list}
        aria-label={t("projects.flows")}
        aria-busy={flows.isPlaceholderData}
        className={view === "cards" ? gridClass : "space-y-0.5"}
        onKeyDown={onKeyDown}
      >
        {items.map((flow) => (
          <FlowItem
            key={flow.id}
            flow={flow}
            view={view}
            selected={selected.has(flow.id)}
            selecting={selected.size > 0}
            dragged={() => (selected.has(flow.id) ? chosen : [flow])}
            onSelect={(on, range) => toggle(flow.id, on, range)}
            onEdit={() => setEditing(flow)}
          />
        ))}
      </ul>
      <div ref={sentinel} className="flex h-16 items-center justify-center">
        {hasNextPage ? (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t("projects.more")}
          </Button>
        ) : null}
      </div>
      {chosen.length > 0 ? (
        <BulkBar flows={chosen} total={items.length} onAll={all} onClear={clear} />
      ) : null}
      {editing ? (
        <Suspense>
          <EditFlowDialog flow={editing} onClose={() => setEditing(null)} />
        </Suspense>
      ) : null}
    </>
  );
}
