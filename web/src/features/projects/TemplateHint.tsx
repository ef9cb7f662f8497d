import { useQuery } from "@tanstack/react-query";
import { LayoutTemplate } from "lucide-react";
import { useTranslation } from "react-i18next";
import { startersQuery } from "@/api/starters";
import { readTemplates, suggestTemplates } from "@/flow/templates";
import { closeNewFlow, openTemplates } from "@/stores/intents";
import { Button } from "@/ui/Button";
import { useDebounced } from "@/ui/useDebounced";

/** The way to the templates; straight to one that shares words with the description. */
export function TemplateHint({ description, projectId }: { description: string; projectId: string | null }) {
  const { t } = useTranslation();
  const settled = useDebounced(description.trim(), 300);
  const templates = useQuery({ ...startersQuery, select: readTemplates, enabled: settled !== "" }).data;
  const template = settled === "" ? undefined : suggestTemplates(templates ?? [], settled, 1)[0]?.template;
  return (
    <div className="flex min-h-12 items-center gap-2.5 rounded-lg border border-line bg-bg px-3 py-2">
      <LayoutTemplate aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <p role="status" className="line-clamp-2 min-w-0 flex-1 text-xs text-muted">
        {template ? t("templates.instead", { name: template.name }) : t("templates.intro")}
      </p>
      <Button
        size="sm"
        {...(template ? { "aria-label": t("templates.lookAt", { name: template.name }) } : {})}
        onClick={() => {
          closeNewFlow();
          openTemplates({ projectId, template: template?.id ?? null });
        }}
      >
        {template ? t("templates.look") : t("templates.fromTemplate")}
      </Button>
    </div>
  );
}
