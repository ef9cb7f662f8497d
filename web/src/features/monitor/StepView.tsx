import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { runStepQuery } from "@/api/runs";
import { lineOf, outputTitle, type RunStep, sentence, type StepInput, stepMs } from "@/flow/runDetail";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";
import { ValueView } from "@/ui/ValueView";
import { CallView } from "./CallView";
import { Figures } from "./Figures";
import { sourceKeys, stepStateKeys } from "./runText";
import { StepSign } from "./StateSign";
import { TroubleNotice } from "./TroubleNotice";

/** Loads what was cut off a step once somebody asks for it. */
export interface More {
  load: () => void;
  loading: boolean;
  error: unknown;
}

/** One node once: what went in and where from, what came out, what was asked of models, and why. */
export function StepView({
  runId,
  step: short,
  nameOf,
  onNode,
}: {
  runId: string;
  step: RunStep;
  /** The title of a node, by its id. */
  nameOf: (node: string) => string;
  onNode?: ((node: string) => void) | undefined;
}) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const full = useQuery({ ...runStepQuery(runId, short.node, short.iteration), enabled: wanted });
  const step = full.data ?? short;
  const more: More = {
    load: () => (full.error ? void full.refetch() : setWanted(true)),
    loading: full.isFetching,
    error: full.error,
  };
  const pending = ["queued", "running", "waiting"].includes(step.state);
  const given = step.inputs.filter((input) => input.source !== "default");
  const defaults = step.inputs.filter((input) => input.source === "default");
  return (
    <div className="@container space-y-4 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <StepSign state={step.state} />
        <span className="text-xs">{t(stepStateKeys[step.state])}</span>
        <Figures ms={stepMs(step)} usage={step.usage} />
      </div>
      {step.why ? <p className="rounded-md bg-sunken px-2.5 py-1.5 text-xs">{sentence(step.why)}</p> : null}
      {step.error ? <TroubleNotice trouble={step.error} node={step.node} /> : null}
      <div className="grid gap-4 @xl:grid-cols-2">
        <Part title={t("runs.inputs")} count={step.inputs.length} none={t("runs.noInputs")}>
          {given.map((input, index) => (
            <InputView key={index} input={input} more={more} nameOf={nameOf} onNode={onNode} />
          ))}
          {defaults.length > 0 ? (
            <details>
              <summary className="w-fit rounded-sm text-xs text-muted">
                {t("runs.defaults", { count: defaults.length })}
              </summary>
              <div className="mt-2 space-y-2.5">
                {defaults.map((input, index) => (
                  <InputView key={index} input={input} more={more} nameOf={nameOf} onNode={onNode} />
                ))}
              </div>
            </details>
          ) : null}
        </Part>
        <Part title={t("runs.outputs")} count={step.outputs.length} none={pending ? t("runs.stillGoing") : t("runs.noOutputs")} first>
          {step.outputs.map((output) => (
            <section key={output.name} className="space-y-1">
              <h4 className="flex items-center gap-2 text-xs font-medium">
                {outputTitle(output.name)}
                {output.type && output.type !== output.name ? <Badge>{output.type}</Badge> : null}
              </h4>
              <ValueView
                shown={output.shown}
                name={`${step.name} ${output.name}`}
                onMore={more.load}
                loading={more.loading}
                error={more.error}
              />
            </section>
          ))}
        </Part>
      </div>
      {step.calls.length > 0 ? (
        <Part title={t("runs.calls", { count: step.calls.length })} count={step.calls.length} none="">
          {step.calls.map((call, index) => (
            <CallView key={index} call={call} more={more} />
          ))}
        </Part>
      ) : null}
    </div>
  );
}

function Part({
  title,
  count,
  none,
  first = false,
  children,
}: {
  title: string;
  count: number;
  none: string;
  /** Where there is no room side by side, what came out is what people came for. */
  first?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={cx("min-w-0 space-y-2.5", first && "@max-xl:order-first")}>
      <h3 className="text-xs font-semibold text-muted">{title}</h3>
      {count === 0 ? <p className="text-xs text-muted italic">{none}</p> : children}
    </section>
  );
}

function InputView({
  input,
  more,
  nameOf,
  onNode,
}: {
  input: StepInput;
  more: More;
  nameOf: (node: string) => string;
  onNode: ((node: string) => void) | undefined;
}) {
  const { t } = useTranslation();
  const line = lineOf(input.shown);
  return (
    <section className="space-y-1">
      <div className="flex flex-wrap items-center gap-x-2 text-xs">
        <h4 className="font-medium">{input.label}</h4>
        <span className="flex min-w-0 items-center gap-1 text-2xs text-muted">
          {t(sourceKeys[input.source])}
          <Origin input={input} nameOf={nameOf} onNode={onNode} />
        </span>
      </div>
      {input.source === "wire" && input.shown.kind === "none" ? null : line === null ? (
        <ValueView
          shown={input.shown}
          name={input.label}
          onMore={more.load}
          loading={more.loading}
          error={more.error}
        />
      ) : (
        <p className="rounded-md border border-line bg-surface px-2 py-1 text-xs break-words">{line}</p>
      )}
    </section>
  );
}

/** `node.output` leads to the node; a variable is named. */
function Origin({
  input: { source, from },
  nameOf,
  onNode,
}: {
  input: StepInput;
  nameOf: (node: string) => string;
  onNode: ((node: string) => void) | undefined;
}) {
  if (from === null) return null;
  const dot = from.lastIndexOf(".");
  if (source !== "wire" || dot < 0) return <code className="truncate font-mono">{from}</code>;
  const node = from.slice(0, dot);
  const text = `${nameOf(node)} › ${outputTitle(from.slice(dot + 1))}`;
  return (
    <>
      <ArrowRight aria-hidden="true" className="size-3 rotate-180" />
      {onNode ? (
        <button
          type="button"
          onClick={() => onNode(node)}
          className="truncate rounded-sm text-accent hover:underline"
        >
          {text}
        </button>
      ) : (
        <span className="truncate">{text}</span>
      )}
    </>
  );
}
