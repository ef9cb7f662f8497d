import { useTranslation } from "react-i18next";
import type { FlowHeader } from "@/api/types";
import type { FlowPatch } from "@/api/flows";
import { changeFlow } from "./actions";
import { FlowDialog } from "./FlowDialog";

export default function EditFlowDialog({ flow, onClose }: { flow: FlowHeader; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FlowDialog
      open
      title={t("projects.editTitle")}
      initial={{ name: flow.name, description: flow.description ?? "", tags: flow.tags ?? [] }}
      saveLabel={t("common.save")}
      onClose={onClose}
      onSave={async ({ name, description, tags }) => {
        const patch: FlowPatch = {};
        if (name !== flow.name) patch.name = name;
        if (description !== (flow.description ?? "")) patch.description = description || null;
        if (tags.join("\n") !== (flow.tags ?? []).join("\n")) patch.tags = tags;
        if (Object.keys(patch).length > 0) await changeFlow(flow, patch);
        onClose();
      }}
    />
  );
}
