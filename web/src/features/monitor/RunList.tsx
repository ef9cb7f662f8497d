import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { GitCompareArrows, History, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { deleteRuns, PAGE_SIZE, runKeys, runsQuery } from "@/api/runs";
import type { RunRead } from "@/api/types";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { cx } from "@/ui/cx";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { compactNumber, costText, durationText } from "@/ui/figures";
import { RelativeTime } from "@/ui/RelativeTime";
import { Select } from "@/ui/Select";
import { SkeletonRows } from "@/ui/Skeleton";
import { Th } from "@/ui/Table";
import { kindKey, runStatuses, statusKey } from "./runText";
import { RunStatusText } from "./StateSign";

export function RunList({
  flowId,
  onRun,
  onCompare,
}: {
  flowId: string;
  onRun: (runId: string) => void;
  onCompare: (a: string, b: string) => void;
}) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [status, setStatus] = useState("");
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<string[]>([]);
  const [deleting, setDeleting] = useState(false);
  const query = useQuery({ ...runsQuery(flowId, status, page), placeholderData: keepPreviousData });
  const found = query.data;
  const pages = Math.max(1, Math.ceil((found?.total ?? 0) / PAGE_SIZE));
  // The older one stands on the left: what changed since then is on the right.
  const compare = (): void => {
    const [a, b] = [...chosen].sort();
    if (a !== undefined && b !== undefined) onCompare(a, b);
  };
  const choose = (id: string, on: boolean): void =>
    setChosen((now) => (on ? [...now.slice(-1), id] : now.filter((other) => other !== id)));

  return (
    <div className="flex h-full min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
        <Select
          aria-label={t("runs.filter")}
          className="w-44"
          value={status}
          onChange={(next) => {
            setStatus(next);
            setPage(1);
          }}
          options={[
            { value: "", label: t("runs.all") },
            ...runStatuses.map((value) => ({ value, label: t(statusKey(value)) })),
          ]}
        />
        <Button
          size="sm"
          icon={<GitCompareArrows aria-hidden="true" className="size-3.5" />}
          disabled={chosen.length !== 2}
          onClick={compare}
          title={chosen.length === 2 ? undefined : t("runs.compareHint")}
        >
          {t("runs.compare")}
        </Button>
        <span className="min-w-0 flex-1" />
        <Button
          size="sm"
          variant="ghost"
          icon={<Trash2 aria-hidden="true" className="size-3.5" />}
          disabled={!found || found.total === 0}
          onClick={() => setDeleting(true)}
        >
          {t("runs.deleteAll")}
        </Button>
      </div>
      <div className="scroll-thin min-h-0 flex-1 overflow-auto">
        {query.error && !found ? (
          <div className="p-3">
            <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
          </div>
        ) : !found ? (
          <div className="p-3">
            <SkeletonRows rows={4} label={t("common.loading")} />
          </div>
        ) : found.items.length === 0 ? (
          <EmptyState icon={<History />} title={status === "" ? t("runs.noneTitle") : t("runs.noneSuchTitle")}>
            {status === "" ? t("runs.none") : t("runs.noneSuch")}
          </EmptyState>
        ) : (
          <table aria-label={t("runs.title")} className="w-full text-left text-xs">
            <thead className="sticky top-0 z-10 bg-surface">
              <tr>
                <Th hidden>{t("runs.column.choose")}</Th>
                <Th>{t("runs.column.status")}</Th>
                <Th>{t("runs.column.when")}</Th>
                <Th>{t("runs.column.kind")}</Th>
                <Th className="text-right">{t("runs.column.duration")}</Th>
                <Th className="text-right">{t("runs.column.tokens")}</Th>
                <Th className="text-right">{t("runs.column.cost")}</Th>
                <Th>{t("runs.column.error")}</Th>
              </tr>
            </thead>
            <tbody>
              {found.items.map((run) => (
                <RunRow
                  key={run.id}
                  run={run}
                  chosen={chosen.includes(run.id)}
                  onChoose={(on) => choose(run.id, on)}
                  onOpen={() => onRun(run.id)}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
      {pages > 1 ? (
        <nav
          aria-label={t("runs.pages")}
          className="flex shrink-0 items-center gap-2 border-t border-line px-3 py-1 text-xs text-muted"
        >
          <Button size="sm" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            {t("runs.newer")}
          </Button>
          <span className="tabular-nums">{t("runs.page", { page, of: pages })}</span>
          <Button size="sm" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            {t("runs.older")}
          </Button>
        </nav>
      ) : null}
      <ConfirmDialog
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t("runs.deleteTitle")}
        description={t("runs.deleteText")}
        confirmLabel={t("runs.deleteAll")}
        onConfirm={async () => {
          await deleteRuns(flowId);
          setPage(1);
          setChosen([]);
          await queries.invalidateQueries({ queryKey: runKeys.flow(flowId) });
        }}
      />
    </div>
  );
}

function RunRow({
  run,
  chosen,
  onChoose,
  onOpen,
}: {
  run: RunRead;
  chosen: boolean;
  onChoose: (on: boolean) => void;
  onOpen: () => void;
}) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const kind = kindKey(run.kind);
  const ms = run.finished_at === null ? null : Date.parse(run.finished_at) - Date.parse(run.created_at);
  const when = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" }).format(
    new Date(run.created_at),
  );
  const cost = costOf(run);
  return (
    <tr className="border-t border-line hover:bg-hover">
      <Td className="w-0">
        <Checkbox
          className="align-middle"
          checked={chosen}
          onChange={onChoose}
          aria-label={t("runs.chooseRun", { when })}
        />
      </Td>
      <Td>
        <RunStatusText status={run.status} />
      </Td>
      <Td className="whitespace-nowrap">
        <button type="button" onClick={onOpen} className="rounded-sm text-left text-accent hover:underline">
          {when}
        </button>{" "}
        <span className="text-muted">
          <RelativeTime value={run.created_at} />
        </span>
      </Td>
      <Td className="whitespace-nowrap">
        {kind ? t(kind) : run.kind}
        {run.parent_id ? <span className="text-muted">{` · ${t("runs.forked")}`}</span> : null}
      </Td>
      <Td className="text-right whitespace-nowrap tabular-nums">
        {ms === null ? "" : ms < 1000 ? `<${durationText(1000, language)}` : durationText(ms, language)}
      </Td>
      <Td className="text-right whitespace-nowrap tabular-nums">
        {run.input_tokens === null || run.output_tokens === null
          ? ""
          : `${compactNumber(run.input_tokens, language)} → ${compactNumber(run.output_tokens, language)}`}
      </Td>
      <Td className="text-right whitespace-nowrap tabular-nums">{cost === null ? "" : costText(cost, language)}</Td>
      <Td className="w-full max-w-0 truncate text-danger">
        <span title={run.error ?? undefined}>{run.status === "cancelled" ? "" : run.error}</span>
      </Td>
    </tr>
  );
}

function Td({ children, className }: { children: ReactNode; className?: string }) {
  return <td className={cx("h-8 px-3", className)}>{children}</td>;
}

function costOf(run: object): number | null {
  const nano = (run as { cost_nanousd?: unknown }).cost_nanousd;
  return typeof nano === "number" ? nano / 1e9 : null;
}
