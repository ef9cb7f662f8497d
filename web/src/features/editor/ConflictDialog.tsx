import type { TFunction } from "i18next";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { diffFlow } from "@/api/flows";
import type { FlowDiff, FlowRead } from "@/api/types";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { FlowDiffView } from "@/ui/FlowDiffView";
import { SkeletonRows } from "@/ui/Skeleton";
import { relativeTime } from "@/ui/time";
import { useNow } from "@/ui/useNow";
import { diffText, invertDiff } from "./invertDiff";
import type { Conflict } from "./useFlowWrites";

/** A save that would have gone over somebody's change: shows what changed and asks. */
export function ConflictDialog({ conflict }: { conflict: Conflict | null }) {
  if (!conflict) return null;
  return <ConflictQuestion conflict={conflict} />;
}

function ConflictQuestion({ conflict }: { conflict: Conflict }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { mine, theirs, patch, settle } = conflict;
  const diff = useQuery({
    queryKey: ["flows", "conflict", mine.id, mine.revision, theirs.revision],
    // The server compares its draft with what we send; turned round it reads "what happened since".
    queryFn: async () =>
      withSettings(invertDiff(await diffFlow(mine.id, mine.data ?? emptyDocument)), mine, theirs, t),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog
      open
      onClose={() => settle("cancel")}
      size="lg"
      title={t("flow.conflict.title")}
      description={t("flow.conflict.text", {
        revision: theirs.revision,
        when: relativeTime(theirs.updated_at, now, i18n.language),
      })}
      footer={
        <>
          <Button onClick={() => settle("cancel")}>{t("common.cancel")}</Button>
          <Button variant="primary" onClick={() => settle("reload")}>
            {t("flow.conflict.reload")}
          </Button>
          <Button variant="danger" onClick={() => settle("overwrite")}>
            {t("flow.conflict.overwrite")}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <section>
          <h3 className="mb-1 text-sm font-semibold">{t("flow.conflict.yours")}</h3>
          <ul className="text-sm">
            {Object.entries(patch).map(([key, value]) => (
              <li key={key} className="break-words">
                <span className="text-muted">{settingName(t, key)}</span>{" "}
                {typeof value === "string" ? `“${value}”` : JSON.stringify(value)}
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h3 className="mb-1 text-sm font-semibold">{t("flow.conflict.since")}</h3>
          {diff.data ? <FlowDiffView diff={diff.data} /> : null}
          {diff.error ? <ErrorNotice error={diff.error} onRetry={() => void diff.refetch()} /> : null}
          {diff.isPending ? <SkeletonRows rows={2} label={t("common.loading")} /> : null}
        </section>
      </div>
    </Dialog>
  );
}

const emptyDocument = { nodes: [], edges: [] };

const names = {
  name: "flow.title.name",
  description: "flow.details.description",
  tags: "flow.details.tags",
  endpoint_name: "flow.details.endpoint",
  locked: "flow.details.locked",
  access_type: "flow.details.access",
  folder_id: "flow.details.project",
} as const;

function settingName(t: TFunction, key: string): string {
  return Object.hasOwn(names, key) ? t(names[key as keyof typeof names]) : key;
}

const settings = [
  "name",
  "description",
  "tags",
  "endpoint_name",
  "locked",
  "access_type",
  "folder_id",
] as const;

/** The document's diff says nothing about the flow's own fields, so they are added here. */
function withSettings(diff: FlowDiff, mine: FlowRead, theirs: FlowRead, t: TFunction): FlowDiff {
  const known = new Set(diff.flow_changes.map((change) => change.path));
  const changes = settings
    .filter(
      (key) => !known.has(key) && JSON.stringify(mine[key] ?? null) !== JSON.stringify(theirs[key] ?? null),
    )
    .map((key) => ({
      path: key,
      label: settingName(t, key),
      old: mine[key] ?? null,
      new: theirs[key] ?? null,
    }));
  if (changes.length === 0) return diff;
  const whole = { ...diff, identical: false, flow_changes: [...changes, ...diff.flow_changes] };
  return { ...whole, text: diffText(whole) };
}
