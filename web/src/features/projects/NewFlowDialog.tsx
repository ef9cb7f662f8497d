import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { createFlow } from "@/api/flows";
import { projectsQuery } from "@/api/projects";
import { closeNewFlow } from "@/stores/intents";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { refresh } from "./actions";
import { FlowDialog } from "./FlowDialog";
import { TemplateHint } from "./TemplateHint";

/** Opened through stores/intents from anywhere. */
export default function NewFlowDialog({ projectId }: { projectId: string | null }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery).data ?? [];
  const [chosen, setChosen] = useState<string | null>(projectId);
  const project = chosen ?? projects[0]?.id ?? "";

  return (
    <FlowDialog
      open
      title={t("projects.newFlow")}
      description={t("projects.newFlowHint")}
      initial={{ name: t("projects.untitled"), description: "", tags: [] }}
      saveLabel={t("projects.create")}
      onClose={closeNewFlow}
      onSave={async ({ name, description, tags }) => {
        const flow = await createFlow({
          name,
          description: description || null,
          data: { nodes: [], edges: [], viewport: { x: 0, y: 0, zoom: 1 } },
          ...(tags.length > 0 ? { tags } : {}),
          ...(project ? { folder_id: project } : {}),
        });
        closeNewFlow();
        void refresh();
        await navigate({ to: "/flow/$flowId", params: { flowId: flow.id } });
      }}
    >
      {({ description }) => (
        <>
          <TemplateHint description={description} projectId={project || null} />
          <Field label={t("projects.field.project")}>
            {({ id }) => (
              <Select
                id={id}
                value={project}
                onChange={setChosen}
                options={projects.map((each) => ({ value: each.id, label: each.name }))}
              />
            )}
          </Field>
        </>
      )}
    </FlowDialog>
  );
}
