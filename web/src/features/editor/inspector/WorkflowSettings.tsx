import { useTranslation } from "react-i18next";
import { factLabels } from "@/canvas/workflowLabels";
import { humanise } from "@/flow/fields";
import { isEmptyValue, isRecord, scalarText, toJson } from "@/flow/json";
import type { WorkflowNode } from "@/flow/model";
import { redact } from "@/flow/secrets";
import { Section } from "./Section";

const NOT_SETTINGS = new Set(["nodeType", "label", "id"]);

/** A workflow node keeps its settings as plain values; all that are set are shown. */
export function WorkflowSettings({ node }: { node: WorkflowNode }) {
  const { t } = useTranslation();
  const labels = factLabels(t);
  const data = redact(node.raw.data);
  const settings = isRecord(data)
    ? Object.entries(data).filter(([key, value]) => !NOT_SETTINGS.has(key) && !isEmptyValue(value))
    : [];
  if (settings.length === 0) return null;
  return (
    <Section title={t("flow.inspector.settings")}>
      <dl className="space-y-3 text-sm">
        {settings.map(([key, value]) => (
          <div key={key}>
            <dt className="font-medium">{Object.hasOwn(labels, key) ? labels[key] : humanise(key)}</dt>
            <dd
              tabIndex={0}
              className="scroll-thin max-h-64 overflow-auto rounded-md border border-line bg-bg px-2 py-1.5 break-words whitespace-pre-wrap"
            >
              {scalarText(value) || toJson(value, 2)}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
