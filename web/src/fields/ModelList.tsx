import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Cable, Settings2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { defaultModelQuery, modelOptionsQuery, providersQuery } from "@/api/models";
import { chosenModel, modelFieldValue, type ModelOption, readModelOptions, sameModel } from "@/flow/values/models";
import { openModelProvider } from "@/stores/intents";
import { Badge } from "@/ui/Badge";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { PickAction, PickList } from "./PickList";
import type { ControlProps } from "./props";
import { ProviderDot } from "./ProviderDot";

const idOf = (model: { provider: string; name: string }): string => `${model.provider}\u0000${model.name}`;
const NONE: ReadonlySet<string> = new Set();

/** The models that are switched on, by provider. */
export default function ModelList(props: ControlProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const { field, raw, label, onChange, onLeave, onConnectionMode, onClose } = props;
  const [providers, setProviders] = useState(false);
  const type = raw.model_type === "embedding" ? "embedding" : "language";
  const query = useQuery(modelOptionsQuery(type));
  const usual = useQuery(defaultModelQuery(type)).data?.effective_model ?? null;
  const facts = useFacts();
  if (providers) return <ProviderList onBack={() => setProviders(false)} onClose={onClose} />;

  const models = readModelOptions(query.data ?? [], raw.filters);
  const chosen = chosenModel(field.value);
  const current = models.find((model) => sameModel(chosen, model));
  const lost = chosen !== null && !current && query.data !== undefined;
  const pick = (id: string) => {
    const model = models.find((each) => idOf(each) === id);
    if (!model) return;
    onChange(modelFieldValue(model));
    onLeave();
    onClose();
  };
  return (
    <PickList
      label={label}
      loading={query.isPending}
      selected={current ? new Set([idOf(current)]) : lost ? new Set([idOf(chosen)]) : NONE}
      items={[
        ...(lost
          ? [{ id: idOf(chosen), label: chosen.name, hint: t("fields.model.lost"), group: chosen.provider || t("fields.model.unknown"), disabled: true, icon: <ProviderDot name={chosen.provider} /> }]
          : []),
        ...models.map((model) => ({
          id: idOf(model),
          label: model.name,
          group: model.provider,
          hint: facts(model),
          icon: <ProviderDot name={model.provider} />,
          ...(usual && usual.provider === model.provider && usual.model_name === model.name
            ? { note: <Badge>{t("fields.model.usual")}</Badge> }
            : {}),
        })),
      ]}
      onPick={pick}
      empty={query.error ? <ErrorNotice error={query.error} /> : t("fields.model.none")}
      footer={
        <>
          {field.types.length > 0 ? (
            <PickAction
              icon={<Cable aria-hidden="true" />}
              onClick={() => {
                onConnectionMode(true);
                onClose();
              }}
            >
              {t("fields.model.connect")}
            </PickAction>
          ) : null}
          <PickAction icon={<Settings2 aria-hidden="true" />} onClick={() => setProviders(true)}>
            {t("fields.model.setUp")}
          </PickAction>
        </>
      }
    />
  );
}

function useFacts(): (model: ModelOption) => string {
  const { t, i18n } = useTranslation();
  const short = new Intl.NumberFormat(i18n.language, { notation: "compact" });
  return ({ facts, deprecated }) =>
    [
      deprecated ? t("fields.model.deprecated") : "",
      facts.tools ? t("models.tools") : "",
      facts.vision ? t("models.vision") : "",
      facts.reasoning ? t("models.reasoning") : "",
      facts.context === null ? "" : t("models.context", { tokens: short.format(facts.context) }),
    ]
      .filter((fact) => fact !== "")
      .join(" · ");
}

function ProviderList({ onBack, onClose }: { onBack: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(providersQuery);
  return (
    <PickList
      label={t("fields.model.providers")}
      loading={query.isPending}
      selected={NONE}
      items={(query.data ?? [])
        .filter((provider) => !provider.is_rehearsal)
        .map((provider) => ({
          id: provider.provider,
          label: provider.provider,
          icon: <ProviderDot name={provider.provider} />,
          hint: provider.is_configured ? t("fields.model.ready") : provider.description,
        }))}
      onPick={(name) => {
        onClose();
        openModelProvider(name);
      }}
      empty={query.error ? <ErrorNotice error={query.error} /> : t("fields.noOptions")}
      footer={
        <PickAction icon={<ArrowLeft aria-hidden="true" />} onClick={onBack}>
          {t("fields.model.toModels")}
        </PickAction>
      }
    />
  );
}
