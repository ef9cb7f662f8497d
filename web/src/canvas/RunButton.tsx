import { CircleAlert, CircleCheck, Play, Square, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isGoing } from "@/flow/runState";
import { serverNow, stopRun, useRunSummary } from "@/stores/run";
import { Button } from "@/ui/Button";
import { Elapsed } from "@/ui/Elapsed";
import { compactNumber, costText, durationText } from "@/ui/figures";
import { toastError } from "@/ui/toastError";
import { Tooltip } from "@/ui/Tooltip";

/** Runs the flow, and at once becomes what stops it. */
export function RunButton({
  flowId,
  onRun,
  disabledReason = null,
  shortcut,
  children,
}: {
  flowId: string;
  onRun: () => void;
  /** Why the flow cannot run now. */
  disabledReason?: string | null;
  shortcut?: string;
  /** What stands between the outcome and the button, so that it stays in its place when an outcome arrives. */
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const run = useRunSummary(flowId);
  const going = isGoing(run.status);
  const label = going ? (run.stopping ? t("runs.button.stopping") : t("runs.button.stop")) : t("runs.button.run");
  const blocked = !going && disabledReason !== null;
  return (
    <span className="flex items-center gap-2">
      <Outcome flowId={flowId} />
      {children}
      <Tooltip label={blocked ? disabledReason : label} {...(shortcut && !blocked ? { shortcut } : {})}>
        <Button
          variant={going ? "secondary" : "primary"}
          className="min-w-20"
          aria-disabled={blocked || run.stopping || undefined}
          icon={
            going ? (
              <Square aria-hidden="true" className="size-3.5 fill-current" />
            ) : (
              <Play aria-hidden="true" className="size-3.5 fill-current" />
            )
          }
          onClick={() => {
            if (blocked || run.stopping) return;
            if (going) stopRun(flowId).catch(toastError);
            else onRun();
          }}
        >
          {label}
        </Button>
      </Tooltip>
    </span>
  );
}

/** Time while it runs; time, tokens and money after. */
function Outcome({ flowId }: { flowId: string }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const { status, startedAt, ms, usage } = useRunSummary(flowId);
  if (status === "idle" || status === "cancelled") return null;
  if (status === "lost") {
    return (
      <span className="flex items-center gap-1.5 text-xs text-warn">
        <WifiOff aria-hidden="true" className="size-3.5" />
        {t("runs.button.lost")}
      </span>
    );
  }
  if (isGoing(status)) {
    return (
      <span className="min-w-16 text-right text-xs text-muted">
        {startedAt === null ? null : <Elapsed since={startedAt} now={serverNow} />}
      </span>
    );
  }
  const figures = [
    ms === null ? null : durationText(ms, language),
    usage?.cost ? costText(usage.cost, language) : null,
  ].filter((part) => part !== null);
  const tokens = usage
    ? t("runs.tokens", { input: compactNumber(usage.input, language), output: compactNumber(usage.output, language) })
    : undefined;
  return (
    <span
      role="note"
      aria-label={t("runs.button.outcome")}
      title={tokens}
      className="flex min-w-16 items-center justify-end gap-1.5 text-xs text-muted tabular-nums max-sm:hidden"
    >
      {status === "failed" ? (
        <CircleAlert aria-hidden="true" className="size-3.5 text-danger" />
      ) : (
        <CircleCheck aria-hidden="true" className="size-3.5 text-ok" />
      )}
      <span className="sr-only">{status === "failed" ? t("runs.status.failed") : t("runs.status.done")}</span>
      {figures.join(" · ")}
    </span>
  );
}
