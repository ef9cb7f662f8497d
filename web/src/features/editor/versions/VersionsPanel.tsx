import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FlowDiff, FlowRead, VersionEntry } from "@/api/types";
import { deleteVersion, listVersions, versionKeys } from "@/api/versions";
import { Button } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { SkeletonRows } from "@/ui/Skeleton";
import { useQueryClient } from "@tanstack/react-query";
import { DRAFT, type Shown } from "../views";
import { ComparePanel } from "./ComparePanel";
import { SnapshotForm } from "./SnapshotForm";
import { VersionRow } from "./VersionRow";

const PAGE = 30;

export interface VersionsPanelProps {
  flow: FlowRead;
  shown: Shown;
  diff: FlowDiff | null;
  diffError: unknown;
  onShow: (shown: Shown) => void;
  onRestore: (entry: VersionEntry) => void;
  onNode: (id: string) => void;
  asked?: number;
  flush?: () => Promise<boolean>;
}

const saved = (): Promise<boolean> => Promise.resolve(true);

/** The saved versions of a flow: make one, look at one, compare any two, go back to one. */
export function VersionsPanel({
  flow,
  shown,
  diff,
  diffError,
  onShow,
  onRestore,
  onNode,
  asked = 0,
  flush = saved,
}: VersionsPanelProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [doomed, setDoomed] = useState<VersionEntry | null>(null);
  const query = useInfiniteQuery({
    queryKey: versionKeys.list(flow.id),
    queryFn: ({ pageParam }) => listVersions(flow.id, PAGE, pageParam),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.entries.length, 0);
      return last.entries.length > 0 && loaded < last.total ? loaded : undefined;
    },
  });
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const first = query.data?.pages[0];

  if (shown.kind === "compare") {
    return (
      <ComparePanel
        entries={entries}
        from={shown.from}
        to={shown.to}
        diff={diff}
        error={diffError}
        onShow={onShow}
        onNode={onNode}
      />
    );
  }

  return (
    <div className="space-y-4 p-4">
      <SnapshotForm flow={flow} asked={asked} flush={flush} />
      {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isPending ? <SkeletonRows rows={3} label={t("common.loading")} /> : null}
      {first && entries.length === 0 ? (
        <p className="py-6 text-center text-sm text-muted">{t("flow.versions.none")}</p>
      ) : null}
      {entries.length > 0 ? (
        <>
          <Button
            className="w-full"
            onClick={() => {
              const newest = entries[0];
              if (newest) onShow({ kind: "compare", from: { kind: "version", entry: newest }, to: DRAFT });
            }}
          >
            {t("flow.versions.compareWithDraft")}
          </Button>
          <ol className="space-y-2" aria-label={t("flow.panel.versions")}>
            {entries.map((entry) => (
              <VersionRow
                key={entry.id}
                flowId={flow.id}
                entry={entry}
                active={shown.kind === "version" && shown.entry.id === entry.id}
                onPreview={() => onShow({ kind: "version", entry })}
                onCompare={() => onShow({ kind: "compare", from: { kind: "version", entry }, to: DRAFT })}
                onRestore={() => onRestore(entry)}
                onDelete={() => setDoomed(entry)}
              />
            ))}
          </ol>
          {query.hasNextPage ? (
            <Button
              className="w-full"
              busy={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {t("flow.versions.more")}
            </Button>
          ) : null}
          <p className="text-xs text-muted">
            {t("flow.versions.limit", {
              count: first?.total ?? entries.length,
              max: first?.max_entries ?? 0,
            })}
          </p>
        </>
      ) : null}
      <ConfirmDialog
        open={doomed !== null}
        onClose={() => setDoomed(null)}
        title={t("flow.versions.deleteTitle", { version: `v${doomed?.version_number ?? ""}` })}
        description={t("flow.versions.deleteText")}
        confirmLabel={t("flow.versions.delete")}
        onConfirm={async () => {
          if (!doomed) return;
          await deleteVersion(flow.id, doomed.id);
          if (shown.kind === "version" && shown.entry.id === doomed.id) onShow(DRAFT);
          await client.invalidateQueries({ queryKey: versionKeys.list(flow.id) });
        }}
      />
    </div>
  );
}
