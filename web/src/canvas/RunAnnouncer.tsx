import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { newestRunQuery } from "@/api/runs";
import type { RunState } from "@/flow/runState";
import { attachNewestRun, useRun, useRunSummary } from "@/stores/run";
import { durationText } from "@/ui/figures";

const countOf =
  (state: string) =>
  (run: RunState): number => {
    let count = 0;
    for (const node of run.nodes.values()) if (node.runId === run.runId && node.state === state) count += 1;
    return count;
  };

const doneOf = countOf("done");
const failedOf = countOf("error");

/**
 * Says to screen readers how the run of the flow stands, in one place; and shows runs that began elsewhere: in the
 * playground, in another tab, by a webhook. Put it once on the page of a flow.
 */
export function RunAnnouncer({ flowId }: { flowId: string }) {
  const { t, i18n } = useTranslation();
  const run = useRunSummary(flowId);
  const done = useRun(flowId, doneOf);
  const failed = useRun(flowId, failedOf);
  const newest = useQuery({ ...newestRunQuery(flowId), refetchInterval: 5_000 });
  const newestId = newest.data?.id ?? null;

  // What runs is the server's to tell; the cards follow it.
  useEffect(() => {
    if (newestId !== null) attachNewestRun(flowId).catch(() => {});
  }, [flowId, newestId]);

  const time = run.ms === null ? "" : durationText(run.ms, i18n.language);
  const words = {
    idle: "",
    starting: t("runs.say.starting"),
    running: t("runs.say.running"),
    waiting: t("runs.say.waiting"),
    lost: t("runs.say.lost"),
    done: t("runs.say.done", { time, count: done }),
    failed: t("runs.say.failed", { cause: run.error?.message ?? "", count: failed }),
    cancelled: t("runs.say.cancelled"),
  };
  return (
    <p aria-live="polite" className="sr-only">
      {run.live ? words[run.status] : ""}
    </p>
  );
}
