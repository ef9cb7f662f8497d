import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FlowRead } from "@/api/types";
import { callInputs, type CallInputs, tweaksOf } from "@/flow/callInputs";
import { parseFlow } from "@/flow/parse";
import { MASK } from "@/flow/secrets";
import { type Call, type Door, hasMasked, hasSnippet, snippet, type SnippetLanguage } from "@/flow/snippets";
import { Dialog } from "@/ui/Dialog";
import { TabPanel, Tabs } from "@/ui/Tabs";
import { ApiKeyBox } from "./ApiKeyBox";
import { CallForm, type CallChoices } from "./CallForm";
import { CodeBlock } from "./CodeBlock";
import { Notice } from "./Notice";
import { keyOfField } from "./TweakPicker";

const LANGUAGES: { value: SnippetLanguage; label: string }[] = [
  { value: "curl", label: "curl" },
  { value: "python", label: "Python" },
  { value: "javascript", label: "JavaScript" },
  { value: "client", label: "Langflow client" },
];

export default function ApiDialog({
  flow,
  document,
  onClose,
}: {
  flow: FlowRead;
  document: unknown;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const inputs = useMemo(() => callInputs(parseFlow(document)), [document]);
  const [language, setLanguage] = useState<SnippetLanguage>("curl");
  const [choices, setChoices] = useState<CallChoices>(() => firstChoices(inputs, t("share.api.sample")));
  const call = callOf(flow, inputs, choices);
  const shown = hasSnippet(language, call.door) ? language : "curl";
  const hints: Record<SnippetLanguage, string> = {
    curl: t("share.api.curlHint"),
    python: t("share.api.pythonHint"),
    javascript: t("share.api.javascriptHint"),
    client: t("share.api.clientHint"),
  };
  const tabs = LANGUAGES.filter(({ value }) => hasSnippet(value, call.door));
  return (
    <Dialog open onClose={onClose} size="xl" title={t("share.api.title")} description={t("share.api.about")}>
      <div className="grid gap-6 md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
        <CallForm
          inputs={inputs}
          choices={choices}
          onChange={(part) => setChoices((current) => ({ ...current, ...part }))}
        />
        <div className="min-w-0 space-y-4">
          <Tabs value={shown} onChange={setLanguage} tabs={tabs}>
            {tabs.map(({ value, label }) => (
              <TabPanel key={value} value={value} className="pt-3">
                <CodeBlock
                  label={t("share.api.code", { language: label })}
                  caption={hints[value]}
                  code={snippet(value, call)}
                  className="max-h-[46vh]"
                />
              </TabPanel>
            ))}
          </Tabs>
          {hasMasked(call.tweaks, MASK) ? <Notice>{t("share.api.masked", { mask: MASK })}</Notice> : null}
          <ApiKeyBox flowName={flow.name} />
        </div>
      </div>
    </Dialog>
  );
}

function firstChoices(inputs: CallInputs, sample: string): CallChoices {
  const own = inputs.files.findIndex((place) => !place.withMessage);
  return {
    door: inputs.webhook && !inputs.chat ? "webhook" : "run",
    input: sample,
    payload: `{"message": ${JSON.stringify(sample)}}`,
    texts: inputs.texts.map((text) => (typeof text.value === "string" ? text.value : "")),
    session: "",
    stream: false,
    file: own < 0 ? null : own,
    fileName: "document.txt",
    chosen: new Set(),
  };
}

function callOf(flow: FlowRead, inputs: CallInputs, choices: CallChoices): Call {
  const door: Door = choices.door;
  const texts = inputs.texts.map((text, index) => ({ ...text, value: choices.texts[index] ?? "" }));
  const chosen = inputs.nodes.flatMap((node) => node.fields.filter((field) => choices.chosen.has(keyOfField(field))));
  const place = choices.file === null ? undefined : inputs.files[choices.file];
  return {
    door,
    base: location.origin,
    flowId: flow.id,
    endpoint: flow.endpoint_name,
    input: door === "webhook" ? choices.payload : inputs.chat ? choices.input : null,
    session: choices.session.trim(),
    tweaks: door === "webhook" ? {} : tweaksOf([...texts, ...chosen]),
    file: door !== "webhook" && place ? { name: choices.fileName || "document.txt", place } : null,
    stream: choices.stream,
  };
}
