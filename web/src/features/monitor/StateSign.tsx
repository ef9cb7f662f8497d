import { Ban, CircleAlert, CircleCheck, Clock, Hand, Minus, Snowflake } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StepState } from "@/flow/runDetail";
import { Spinner } from "@/ui/Spinner";
import { statusKey, stepStateKeys } from "./runText";

function Sign({ state }: { state: StepState }): ReactNode {
  switch (state) {
    case "queued":
      return <Clock aria-hidden="true" className="size-3.5 shrink-0 text-faint" />;
    case "running":
      return <Spinner className="size-3.5 shrink-0 text-accent" />;
    case "done":
      return <CircleCheck aria-hidden="true" className="size-3.5 shrink-0 text-ok" />;
    case "failed":
      return <CircleAlert aria-hidden="true" className="size-3.5 shrink-0 text-danger" />;
    case "skipped":
      return <Minus aria-hidden="true" className="size-3.5 shrink-0 text-faint" />;
    case "waiting":
      return <Hand aria-hidden="true" className="size-3.5 shrink-0 text-warn" />;
    case "cancelled":
      return <Ban aria-hidden="true" className="size-3.5 shrink-0 text-faint" />;
    case "reused":
      return <Snowflake aria-hidden="true" className="size-3.5 shrink-0 text-accent" />;
  }
}

function stateOfRun(status: string): StepState {
  const plain = ["queued", "running", "waiting", "cancelled"] as const;
  if (status === "completed") return "done";
  return plain.find((state) => state === status) ?? "failed";
}

/** A sign for people who see it, a word for those who do not. */
export function StepSign({ state }: { state: StepState }) {
  const { t } = useTranslation();
  return (
    <span className="flex shrink-0 items-center" title={t(stepStateKeys[state])}>
      <Sign state={state} />
      <span className="sr-only">{t(stepStateKeys[state])}</span>
    </span>
  );
}

/** The sign and the word: in a list of runs the state is what people look for. */
export function RunStatusText({ status }: { status: string }) {
  const { t } = useTranslation();
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <Sign state={stateOfRun(status)} />
      {t(statusKey(status))}
    </span>
  );
}
