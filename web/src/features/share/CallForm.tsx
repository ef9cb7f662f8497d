import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { CallInputs } from "@/flow/callInputs";
import type { Door } from "@/flow/snippets";
import { Field, Input, Textarea } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { Switch } from "@/ui/Switch";
import { TweakPicker } from "./TweakPicker";

export interface CallChoices {
  door: Door;
  input: string;
  /** The body of a webhook. */
  payload: string;
  /** What the flow's text inputs are given, in their order. */
  texts: string[];
  session: string;
  stream: boolean;
  /** Which of the places for a file gets one. */
  file: number | null;
  fileName: string;
  chosen: Set<string>;
}

export function CallForm({
  inputs,
  choices,
  onChange,
}: {
  inputs: CallInputs;
  choices: CallChoices;
  onChange: (part: Partial<CallChoices>) => void;
}) {
  const { t } = useTranslation();
  const webhook = choices.door === "webhook";
  const doors: { value: Door; label: string }[] = [
    { value: "run", label: t("share.api.doorRun") },
    { value: "workflows", label: t("share.api.doorWorkflows") },
    ...(inputs.webhook ? [{ value: "webhook" as const, label: t("share.api.doorWebhook") }] : []),
  ];
  const hints: Record<Door, string> = {
    run: t("share.api.runHint"),
    workflows: t("share.api.workflowsHint"),
    webhook: t("share.api.webhookHint"),
  };
  return (
    <div className="min-w-0 space-y-4">
      <Field label={t("share.api.door")} hint={hints[choices.door]}>
        {({ id, "aria-describedby": describedby }) => (
          <Select
            id={id}
            aria-describedby={describedby}
            value={choices.door}
            onChange={(door) => onChange({ door })}
            options={doors}
          />
        )}
      </Field>
      {webhook ? (
        <Field label={t("share.api.payload")}>
          {(control) => (
            <Textarea
              {...control}
              spellCheck={false}
              className="font-mono text-xs"
              value={choices.payload}
              onChange={(event) => onChange({ payload: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <CallInput inputs={inputs} choices={choices} onChange={onChange} />
      )}
    </div>
  );
}

function CallInput({ inputs, choices, onChange }: Parameters<typeof CallForm>[0]) {
  const { t } = useTranslation();
  const stream = useId();
  const places = inputs.files.map((place, index) => ({
    value: String(index),
    label: place.withMessage ? t("share.api.fileWithMessage") : `${place.title}: ${place.label}`,
  }));
  return (
    <>
      {inputs.chat ? (
        <Field label={t("share.api.message")}>
          {(control) => (
            <Textarea
              {...control}
              className="min-h-16"
              value={choices.input}
              onChange={(event) => onChange({ input: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      {inputs.texts.map((text, index) => (
        <Field key={`${text.node}-${text.field}`} label={text.label}>
          {(control) => (
            <Textarea
              {...control}
              className="min-h-16"
              value={choices.texts[index] ?? ""}
              onChange={(event) => onChange({ texts: choices.texts.with(index, event.target.value) })}
            />
          )}
        </Field>
      ))}
      {!inputs.chat && inputs.texts.length === 0 ? (
        <p className="text-xs text-muted">{t("share.api.noInput")}</p>
      ) : null}
      <Field label={t("share.api.session")} optional hint={t("share.api.sessionHint")}>
        {(control) => (
          <Input
            {...control}
            spellCheck={false}
            autoComplete="off"
            value={choices.session}
            onChange={(event) => onChange({ session: event.target.value })}
          />
        )}
      </Field>
      <div className="flex items-center gap-2">
        <Switch id={stream} checked={choices.stream} onChange={(on) => onChange({ stream: on })} />
        <label htmlFor={stream} className="text-sm font-medium">
          {t("share.api.stream")}
        </label>
      </div>
      {places.length > 0 ? (
        <Field label={t("share.api.file")}>
          {({ id }) => (
            <Select
              id={id}
              value={choices.file === null ? "" : String(choices.file)}
              onChange={(value) => onChange({ file: value === "" ? null : Number(value) })}
              options={[{ value: "", label: t("share.api.noFile") }, ...places]}
            />
          )}
        </Field>
      ) : null}
      {choices.file === null ? null : (
        <Field label={t("share.api.fileName")}>
          {(control) => (
            <Input
              {...control}
              spellCheck={false}
              value={choices.fileName}
              onChange={(event) => onChange({ fileName: event.target.value })}
            />
          )}
        </Field>
      )}
      {inputs.nodes.length > 0 ? (
        <TweakPicker nodes={inputs.nodes} chosen={choices.chosen} onChange={(chosen) => onChange({ chosen })} />
      ) : null}
    </>
  );
}
