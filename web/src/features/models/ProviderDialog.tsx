import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { providersQuery } from "@/api/models";
import { openModelProvider } from "@/stores/intents";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { SkeletonRows } from "@/ui/Skeleton";
import { TabPanel, Tabs } from "@/ui/Tabs";
import { ConnectionForm } from "./ConnectionForm";
import { ModelList } from "./ModelList";

/** Sets up one provider; opened with `openModelProvider` from any page. */
export default function ProviderDialog({ name }: { name: string }) {
  const { t } = useTranslation();
  const providers = useQuery(providersQuery);
  const provider = providers.data?.find((known) => known.provider === name || known.provider_id === name);
  const [tab, setTab] = useState<"connection" | "models">("connection");
  const close = () => openModelProvider(null);
  const hasConnection = provider ? provider.variables.length > 0 : true;
  return (
    <Dialog
      open
      onClose={close}
      size="md"
      title={provider?.provider ?? name}
      description={provider?.is_rehearsal ? t("models.rehearsalHint") : provider?.description}
    >
      {providers.isPending ? <SkeletonRows label={t("common.loading")} /> : null}
      {providers.isError ? (
        <ErrorNotice error={providers.error} onRetry={() => void providers.refetch()} />
      ) : null}
      {provider && hasConnection ? (
        <Tabs
          value={tab}
          onChange={setTab}
          tabs={[
            { value: "connection", label: t("models.connection") },
            { value: "models", label: t("models.models") },
          ]}
        >
          <TabPanel value="connection" className="pt-4 outline-none">
            <ConnectionForm provider={provider} onDone={close} />
          </TabPanel>
          <TabPanel value="models" className="pt-4 outline-none">
            <ModelList provider={provider} />
          </TabPanel>
        </Tabs>
      ) : null}
      {provider && !hasConnection ? <ModelList provider={provider} /> : null}
    </Dialog>
  );
}
