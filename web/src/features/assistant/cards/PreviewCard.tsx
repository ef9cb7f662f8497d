import { Workflow } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AssistantMessage } from "../model/types";
import { FlowOutline } from "./FlowOutline";
import { Proof } from "./Proof";
import { Card, CardHead } from "./parts";

/** The flow as the turn left it: it is on the canvas already, here it is only looked at. */
export function PreviewCard({ message }: { message: AssistantMessage }) {
  const { t } = useTranslation();
  const { preview, ending } = message;
  if (!preview) return null;
  return (
    <Card label={t("assistant.cards.flow.preview")} testId="assistant-flow-preview">
      <CardHead icon={<Workflow />} title={preview.name || t("assistant.cards.flow.unnamed")}>
        <span className="text-2xs text-muted">
          {t("assistant.cards.flow.nodes", { count: preview.nodes })} ·{" "}
          {t("assistant.cards.flow.wires", { count: preview.edges })}
        </span>
        <Proof ending={ending} />
      </CardHead>
      <FlowOutline flow={preview.flow} label={t("assistant.cards.flow.previewParts")} />
    </Card>
  );
}
