import { Check, CircleAlert } from "lucide-react";
import { createElement, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";
import { Elapsed } from "@/ui/Elapsed";
import { Markdown } from "@/ui/Markdown";
import { Spinner } from "@/ui/Spinner";
import type { AssistantMessage } from "../model/types";
import { Card } from "./parts";
import { doneLabel, isFailure, isWritingComponent, stepIcon, stepLabel } from "./steps";

/** Milliseconds. */
const LONG = 3000;

/** Where a turn is. While a component is written it also shows what is being written. */
export function Progress({ message }: { message: AssistantMessage }) {
  const { progress, done } = message;
  if (isWritingComponent(progress?.step ?? null, done)) return <Writing message={message} />;
  return (
    <div data-testid="assistant-progress" className="space-y-1 text-xs">
      <DoneSteps steps={done} inline />
      <Now message={message} />
    </div>
  );
}

/** The step of now, with an icon of its own. */
function Now({ message }: { message: AssistantMessage }) {
  const { t } = useTranslation();
  const { progress, at } = message;
  const step = progress?.step ?? "generating";
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1 text-muted">
      <span
        aria-hidden="true"
        data-testid="assistant-flow-loading-icon"
        className="flex size-5 shrink-0 animate-pulse-soft items-center justify-center text-accent *:size-4"
      >
        {createElement(stepIcon(step))}
      </span>
      <span className="text-sm text-ink">{t(stepLabel(step))}</span>
      <Attempt message={message} />
      <Waited since={at} />
    </div>
  );
}

/** How long it has been, once that is worth a word. */
function Waited({ since }: { since: number }) {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), Math.max(0, since + LONG - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  if (!long) return null;
  return (
    <span aria-hidden="true" className="text-2xs text-faint">
      <Elapsed since={since} />
    </span>
  );
}

/** Only said once there was more than one. */
function Attempt({ message }: { message: AssistantMessage }) {
  const { t } = useTranslation();
  const { progress } = message;
  if (!progress || progress.attempt <= 1) return null;
  return (
    <Badge tone="warn">
      {t("assistant.cards.attempt", { n: progress.attempt, max: Math.max(progress.attempt, progress.maxAttempts) })}
    </Badge>
  );
}

function DoneSteps({ steps, inline = false }: { steps: readonly string[]; inline?: boolean }) {
  const { t } = useTranslation();
  if (steps.length === 0) return null;
  return (
    <ul
      aria-label={t("assistant.cards.steps")}
      className={cx("flex text-xs text-muted", inline ? "flex-wrap gap-x-3 gap-y-0.5" : "flex-col gap-0.5")}
    >
      {steps.map((step, index) => (
        <li key={`${index}-${step}`} className="flex items-center gap-1.5">
          {isFailure(step) ? (
            <CircleAlert aria-hidden="true" className="size-3.5 shrink-0 text-warn" />
          ) : (
            <Check aria-hidden="true" className="size-3.5 shrink-0 text-ok" />
          )}
          {t(doneLabel(step))}
        </li>
      ))}
    </ul>
  );
}

function Writing({ message }: { message: AssistantMessage }) {
  const { t } = useTranslation();
  const { progress, done, content, at } = message;
  const step = progress?.step ?? "generating_component";
  const { said, code } = saidAndCode(content);
  const shownCode = progress?.code ?? code;
  return (
    <Card label={t("assistant.cards.step.generating_component")} testId="assistant-progress">
      <div className="space-y-2 px-3 py-2">
        <DoneSteps steps={done} />
        <div className="flex min-h-5 flex-wrap items-center gap-x-2 gap-y-1">
          {isFailure(step) ? (
            <CircleAlert aria-hidden="true" className="size-3.5 shrink-0 text-warn" />
          ) : step === "validated" ? (
            <Check aria-hidden="true" className="size-3.5 shrink-0 text-ok" />
          ) : (
            <Spinner className="size-3.5 text-accent" />
          )}
          <span className="font-medium text-ink">{t(stepLabel(step))}</span>
          {progress?.className ? (
            <code className="min-w-0 font-mono text-2xs break-all text-muted">{progress.className}</code>
          ) : null}
          <Attempt message={message} />
          <Waited since={at} />
        </div>
        {progress?.error ? (
          <p className="line-clamp-4 rounded-md bg-warn-soft px-2 py-1 break-words whitespace-pre-wrap text-warn">
            {progress.error}
          </p>
        ) : null}
        {said ? (
          <Tail label={t("assistant.cards.reasoning")} className="max-h-20 text-muted">
            <Markdown source={lastLines(said, 6)} />
          </Tail>
        ) : null}
        {shownCode ? (
          <Tail
            label={t("assistant.cards.codeSoFar")}
            className="max-h-44 rounded-md bg-sunken px-2 font-mono text-2xs whitespace-pre-wrap text-muted"
          >
            <div className="py-1">{lastLines(shownCode, 10)}</div>
          </Tail>
        ) : null}
      </div>
    </Card>
  );
}

/** The end of a text that is still growing: what is above it has been seen. */
function Tail({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <div
      role="group"
      aria-label={label}
      className={cx("flex flex-col justify-end overflow-hidden break-words *:shrink-0", className)}
    >
      {children}
    </div>
  );
}

function lastLines(text: string, count: number): string {
  const lines = text.slice(-4000).trimEnd().split("\n").slice(-count);
  return lines.join("\n").replace(/^\s*\n/, "");
}

/** What the model says about its code, and the code as far as it has come. */
function saidAndCode(content: string): { said: string; code: string } {
  const fence = content.indexOf("```");
  if (fence < 0) return { said: content.trim(), code: "" };
  const begin = content.indexOf("\n", fence);
  if (begin < 0) return { said: content.slice(0, fence).trim(), code: "" };
  const end = content.indexOf("\n```", begin);
  return { said: content.slice(0, fence).trim(), code: content.slice(begin + 1, end < 0 ? undefined : end) };
}
