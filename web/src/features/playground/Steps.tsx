import { Brain, ChevronRight, CircleAlert, Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { toJson } from "@/flow/json";
import type { RunProblem, Step } from "@/flow/messages";
import { Markdown } from "@/ui/Markdown";
import { Spinner } from "@/ui/Spinner";
import { durationText } from "@/ui/figures";
import { ProblemNotice } from "./ProblemNotice";

/** What the flow did before it answered, each step folded to one line. */
export function Steps({ steps, partial }: { steps: Step[]; partial: boolean }) {
  if (steps.length === 0) return null;
  return (
    <div className="space-y-1.5">
      {steps.map((step, index) => (
        <StepView key={index} step={step} going={partial && index === steps.length - 1} />
      ))}
    </div>
  );
}

function StepView({ step, going }: { step: Step; going: boolean }) {
  switch (step.kind) {
    case "text":
      return (
        <div className="text-sm text-muted">
          <Markdown source={step.text} reachable />
        </div>
      );
    case "reasoning":
      return <Reasoning step={step} />;
    case "tool":
      return <ToolUse step={step} going={going} />;
    case "error":
      return <StepProblem problem={step.problem} />;
  }
}

function StepProblem({ problem }: { problem: RunProblem }) {
  const { t } = useTranslation();
  // The server's words for a run that somebody stopped: nothing went wrong.
  if (/^the run was stopped\.?$/i.test(problem.reason)) {
    return <p className="text-xs text-muted italic">{t("playground.stopped")}</p>;
  }
  return <ProblemNotice problem={problem} />;
}

function Fold({
  icon,
  title,
  aside,
  children,
}: {
  icon: ReactNode;
  title: ReactNode;
  aside: string | null;
  children: ReactNode;
}) {
  return (
    <details className="group rounded-md border border-line bg-surface text-xs">
      <summary className="flex min-h-8 list-none items-center gap-2 rounded-md px-2.5 py-1 hover:bg-hover [&::-webkit-details-marker]:hidden">
        {icon}
        <span className="min-w-0 flex-1 truncate">{title}</span>
        {aside ? <span className="shrink-0 text-faint tabular-nums">{aside}</span> : null}
        <ChevronRight
          aria-hidden="true"
          className="size-3.5 shrink-0 text-faint transition-transform group-open:rotate-90"
        />
      </summary>
      <div className="space-y-2 border-t border-line px-2.5 py-2">{children}</div>
    </details>
  );
}

function Reasoning({ step }: { step: Extract<Step, { kind: "reasoning" }> }) {
  const { t, i18n } = useTranslation();
  return (
    <Fold
      icon={<Brain aria-hidden="true" className="size-3.5 shrink-0 text-muted" />}
      title={t("playground.reasoning")}
      aside={step.duration === null ? null : durationText(step.duration, i18n.language)}
    >
      <div className="text-muted">
        <Markdown source={step.text} reachable />
      </div>
    </Fold>
  );
}

function ToolUse({ step, going }: { step: Extract<Step, { kind: "tool" }>; going: boolean }) {
  const { t, i18n } = useTranslation();
  const failed = step.error !== null;
  const using = going && !failed && step.output === null && step.duration === null;
  return (
    <Fold
      icon={
        using ? (
          <Spinner />
        ) : failed ? (
          <CircleAlert aria-hidden="true" className="size-3.5 shrink-0 text-danger" />
        ) : (
          <Wrench aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
        )
      }
      title={
        using
          ? t("playground.tool.using", { name: step.name })
          : failed
            ? t("playground.tool.failed", { name: step.name })
            : t("playground.tool.used", { name: step.name })
      }
      aside={step.duration === null ? null : durationText(step.duration, i18n.language)}
    >
      <Value label={t("playground.tool.input")} value={step.input} />
      {failed ? (
        <Value label={t("playground.tool.error")} value={step.error} />
      ) : step.output === null ? null : (
        <Value label={t("playground.tool.output")} value={step.output} />
      )}
    </Fold>
  );
}

function Value({ label, value }: { label: string; value: unknown }) {
  const text = typeof value === "string" ? value : (toJson(value, 2) ?? "");
  return (
    <div>
      <p className="text-2xs font-medium text-muted">{label}</p>
      <pre
        tabIndex={0}
        aria-label={label}
        role="group"
        className="scroll-thin mt-0.5 max-h-60 overflow-auto rounded-sm bg-sunken p-2 font-mono text-2xs break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  );
}
