import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { providersQuery } from "@/api/models";
import type { ProviderModels } from "@/api/types";
import { openModelProvider } from "@/stores/intents";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { PageHeader } from "@/ui/Page";
import { SkeletonRows } from "@/ui/Skeleton";
import { DefaultModels } from "./DefaultModels";
import { ProviderMark } from "./ProviderMark";

export default function ModelProvidersPage() {
  const { t } = useTranslation();
  const providers = useQuery(providersQuery);
  return (
    <>
      <PageHeader title={t("models.title")} description={t("models.hint")} />
      {providers.isPending ? <SkeletonRows label={t("common.loading")} /> : null}
      {providers.isError ? (
        <ErrorNotice error={providers.error} onRetry={() => void providers.refetch()} />
      ) : null}
      {providers.data ? (
        <>
          <DefaultModels providers={providers.data} />
          <ul className="grid gap-3 sm:grid-cols-2">
            {providers.data.map((provider) => (
              <ProviderCard key={provider.provider_id} provider={provider} />
            ))}
          </ul>
        </>
      ) : null}
    </>
  );
}

function ProviderCard({ provider }: { provider: ProviderModels }) {
  const { t } = useTranslation();
  const name = provider.provider;
  const on = provider.models.filter((model) => model.is_enabled).length;
  const count = provider.models.length;
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex items-start gap-3">
        <ProviderMark name={name} rehearsal={provider.is_rehearsal} />
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-base font-semibold">{name}</h2>
          <Status provider={provider} />
        </div>
        <Button
          size="sm"
          aria-label={
            provider.is_configured ? t("models.manageName", { name }) : t("models.setUpName", { name })
          }
          onClick={() => openModelProvider(name)}
        >
          {provider.is_configured ? t("models.manage") : t("models.setUp")}
        </Button>
      </div>
      <p className="flex-1 text-sm text-muted">
        {provider.is_rehearsal ? t("models.rehearsalHint") : provider.description}
      </p>
      {count > 0 ? (
        <p className="text-xs text-muted">
          {provider.is_configured && on < count
            ? t("models.countOff", { on, count })
            : t("models.count", { count })}
        </p>
      ) : null}
    </li>
  );
}

function Status({ provider }: { provider: ProviderModels }) {
  const { t } = useTranslation();
  if (provider.is_rehearsal) return <Badge tone="warn">{t("models.offline")}</Badge>;
  if (provider.is_configured) return <Badge tone="ok">{t("models.ready")}</Badge>;
  return <Badge>{t("models.notSetUp")}</Badge>;
}
