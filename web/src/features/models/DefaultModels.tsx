import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { clearDefaultModel, defaultModelQuery, modelKeys, setDefaultModel } from "@/api/models";
import { queryClient } from "@/api/queryClient";
import type { ModelType, ProviderModels } from "@/api/types";
import { Select } from "@/ui/Select";
import { toastError } from "@/ui/toastError";

/** Between a provider and a model in the value of an option; neither has it in its name. */
const between = "\u0000";

export function DefaultModels({ providers }: { providers: ProviderModels[] }) {
  const { t } = useTranslation();
  return (
    <section className="mb-6 rounded-lg border border-line bg-surface p-4 sm:p-5">
      <h2 className="text-base font-semibold">{t("models.defaults")}</h2>
      <p className="mt-0.5 text-sm text-muted">{t("models.defaultsHint")}</p>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <DefaultModel type="language" providers={providers} />
        <DefaultModel type="embedding" providers={providers} />
      </div>
    </section>
  );
}

function DefaultModel({ type, providers }: { type: ModelType; providers: ProviderModels[] }) {
  const { t } = useTranslation();
  const id = useId();
  const query = useQuery(defaultModelQuery(type));
  const [busy, setBusy] = useState(false);
  const chosen = query.data?.default_model ?? null;
  const effective = query.data?.effective_model ?? null;
  const offered = providers.flatMap((provider) =>
    provider.models
      .filter((model) => model.is_enabled && model.metadata.model_type === type)
      .map((model) => ({
        value: `${provider.provider}${between}${model.model_name}`,
        label: `${provider.provider} · ${model.model_name}`,
      })),
  );
  const value = chosen ? `${chosen.provider}${between}${chosen.model_name}` : "";
  const missing = chosen && !offered.some((option) => option.value === value);
  const automatic =
    chosen === null && effective
      ? t("models.automaticNow", { model: `${effective.provider} · ${effective.model_name}` })
      : t("models.automatic");

  const change = async (next: string) => {
    setBusy(true);
    try {
      const [provider, model] = next.split(between);
      if (provider && model) await setDefaultModel(type, provider, model);
      else await clearDefaultModel(type);
    } catch (error) {
      toastError(error);
    } finally {
      await queryClient.invalidateQueries({ queryKey: modelKeys.all });
      setBusy(false);
    }
  };

  return (
    <div className="space-y-1">
      <label htmlFor={id} className="text-sm font-medium">
        {type === "language" ? t("models.language") : t("models.embedding")}
      </label>
      <Select
        id={id}
        value={value}
        disabled={busy || query.isPending}
        onChange={(next) => void change(next)}
        options={[
          { value: "", label: offered.length === 0 ? t("models.noModels") : automatic },
          ...(missing
            ? [{ value, label: t("models.unavailable", { model: `${chosen.provider} · ${chosen.model_name}` }) }]
            : []),
          ...offered,
        ]}
      />
    </div>
  );
}
