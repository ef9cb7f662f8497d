import { Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { modelKeys, providersQuery, switchModels } from "@/api/models";
import { queryClient } from "@/api/queryClient";
import type { ModelInfo, ProviderModels } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Field, Input } from "@/ui/Field";
import { Switch } from "@/ui/Switch";
import { toastError } from "@/ui/toastError";

/** Which of a provider's models are offered in model fields. */
export function ModelList({ provider }: { provider: ProviderModels }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [own, setOwn] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = provider.models.filter((model) => model.model_name.toLowerCase().includes(wanted));

  const change = async (model: string, enabled: boolean) => {
    const before = queryClient.getQueryData(providersQuery.queryKey);
    queryClient.setQueryData(providersQuery.queryKey, (known) =>
      known?.map((each) =>
        each.provider === provider.provider
          ? {
              ...each,
              models: each.models.map((info) =>
                info.model_name === model ? { ...info, is_enabled: enabled } : info,
              ),
            }
          : each,
      ),
    );
    try {
      await switchModels([{ provider: provider.provider, model_id: model, enabled }]);
    } catch (error) {
      queryClient.setQueryData(providersQuery.queryKey, before);
      toastError(error);
    } finally {
      await queryClient.invalidateQueries({ queryKey: modelKeys.all });
    }
  };

  const add = (event: FormEvent) => {
    event.preventDefault();
    if (!own.trim()) return;
    void change(own.trim(), true);
    setOwn("");
  };

  return (
    <div className="space-y-4">
      {provider.list_error ? (
        <p className="rounded-lg border border-warn/40 bg-warn-soft p-3 text-sm">
          {t("models.listError")} <span className="text-muted">{provider.list_error}</span>
        </p>
      ) : null}
      {provider.is_configured ? null : <p className="text-sm text-muted">{t("models.needsSetUp")}</p>}
      <div className="relative">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
        />
        <Input
          type="search"
          className="pl-8"
          aria-label={t("models.search")}
          placeholder={t("models.search")}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <ul className="scroll-thin max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {shown.length === 0 ? <li className="p-3 text-sm text-muted">{t("models.none")}</li> : null}
        {shown.map((model) => (
          <li key={`${model.metadata.model_type} ${model.model_name}`} className="flex items-center gap-3 px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-mono text-xs">{model.model_name}</p>
              <Facts model={model} />
            </div>
            <Switch
              aria-label={t("models.use", { name: model.model_name })}
              checked={model.is_enabled}
              disabled={!provider.is_configured}
              onChange={(enabled) => void change(model.model_name, enabled)}
            />
          </li>
        ))}
      </ul>
      {provider.is_configured && !provider.is_rehearsal ? (
        <form noValidate onSubmit={add} className="flex items-end gap-2">
          <Field label={t("models.add")} hint={t("models.addHint")} className="flex-1">
            {(control) => (
              <Input
                {...control}
                spellCheck={false}
                autoComplete="off"
                value={own}
                onChange={(event) => setOwn(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" className="mb-5" disabled={!own.trim()}>
            {t("models.addButton")}
          </Button>
        </form>
      ) : null}
    </div>
  );
}

function Facts({ model }: { model: ModelInfo }) {
  const { t, i18n } = useTranslation();
  const { metadata } = model;
  const short = new Intl.NumberFormat(i18n.language, { notation: "compact" });
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-1 text-2xs text-muted">
      {metadata.model_type === "embedding" ? <Badge>{t("models.embeddingModel")}</Badge> : null}
      {metadata.tool_calling ? <Badge>{t("models.tools")}</Badge> : null}
      {metadata.reasoning ? <Badge>{t("models.reasoning")}</Badge> : null}
      {metadata.vision ? <Badge>{t("models.vision")}</Badge> : null}
      {metadata.context_length ? (
        <span>{t("models.context", { tokens: short.format(metadata.context_length) })}</span>
      ) : null}
      {metadata.context_length && metadata.price ? <span aria-hidden="true">·</span> : null}
      {metadata.price ? (
        <span title={t("models.priceHint")}>
          {t("models.price", { input: metadata.price.input, output: metadata.price.output })}
        </span>
      ) : null}
    </p>
  );
}
