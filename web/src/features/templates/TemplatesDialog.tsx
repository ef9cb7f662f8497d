import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Template } from "@/flow/templates";
import { closeTemplates, type TemplateSearch } from "@/stores/intents";
import { Dialog } from "@/ui/Dialog";
import { Gallery } from "./Gallery";
import { offerSetup, useStart } from "./useStart";

/** The templates over whatever page is shown; opened through stores/intents. */
export default function TemplatesDialog({ projectId, query, template, onUse }: TemplateSearch) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(template);
  const start = useStart(projectId);
  const use = async (chosen: Template): Promise<void> => {
    if (onUse) {
      closeTemplates();
      onUse(chosen);
      await offerSetup(chosen);
    } else if (await start(chosen)) closeTemplates();
  };
  return (
    <Dialog
      open
      size="xl"
      title={t("templates.title")}
      {...(shown === null ? { description: t("templates.intro") } : {})}
      onClose={closeTemplates}
    >
      <div className="flex min-h-[70vh] flex-col">
        <Gallery
          shown={shown}
          onShow={setShown}
          onUse={use}
          useLabel={onUse ? t("templates.useHere") : t("templates.use")}
          query={query}
        />
      </div>
    </Dialog>
  );
}
