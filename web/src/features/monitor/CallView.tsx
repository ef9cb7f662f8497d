import { BrainCircuit, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type ModelCall, sentence, stepMs } from "@/flow/runDetail";
import { ValueView } from "@/ui/ValueView";
import { Figures } from "./Figures";
import type { More } from "./StepView";

/** What was sent to a model, to the byte, and what came back. */
export function CallView({ call, more }: { call: ModelCall; more: More }) {
  const { t } = useTranslation();
  const name = [call.provider, call.model].filter(Boolean).join(" · ") || t("runs.call.model");
  return (
    <details className="group rounded-md border border-line bg-surface text-xs">
      <summary className="flex min-h-8 list-none items-center gap-2 rounded-md px-2.5 py-1 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <BrainCircuit aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <Figures ms={stepMs(call)} usage={call.usage} />
        <ChevronRight
          aria-hidden="true"
          className="size-3.5 shrink-0 text-faint transition-transform group-open:rotate-90"
        />
      </summary>
      {call.error ? (
        <p className="border-t border-line bg-danger-soft px-2.5 py-1.5 text-danger">{sentence(call.error)}</p>
      ) : null}
      <div className="grid gap-3 border-t border-line p-2.5 @xl:grid-cols-2">
        {(
          [
            ["runs.call.request", call.request],
            ["runs.call.response", call.response],
          ] as const
        ).map(([key, shown]) => (
          <section key={key} className="min-w-0 space-y-1">
            <h4 className="font-medium">{t(key)}</h4>
            <ValueView
              shown={shown}
              name={`${call.model} ${t(key)}`}
              onMore={more.load}
              loading={more.loading}
              error={more.error}
            />
          </section>
        ))}
      </div>
    </details>
  );
}
