import { useQueryClient } from "@tanstack/react-query";
import { ChevronDown, Drama, RefreshCw, Settings2, TriangleAlert } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { assistantConfigQuery } from "@/api/assistant";
import { PickAction, PickList } from "@/fields/PickList";
import { Popup } from "@/fields/Popup";
import { ProviderDot } from "@/fields/ProviderDot";
import { Badge } from "@/ui/Badge";
import { IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { toastError } from "@/ui/toastError";
import type { AssistantConfig, ModelChoice } from "../model/types";
import { isWeak, type OfferedModel, offeredModels, sameChoice } from "./models";

interface ModelSelectorProps {
  config: AssistantConfig | null;
  model: ModelChoice | null;
  onModel: (model: ModelChoice) => void;
  onConfigure: () => void;
}

const idOf = ({ provider, name }: ModelChoice): string => `${provider}\u0000${name}`;
const NONE: ReadonlySet<string> = new Set();

/** Who is asked. */
export function ModelSelector({ config, model, onModel, onConfigure }: ModelSelectorProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const offered = config ? offeredModels(config) : [];
  const current = offered.find((one) => sameChoice(one, model)) ?? null;
  const name = current?.label ?? model?.name ?? null;

  return (
    <>
      <button
        ref={anchor}
        type="button"
        data-testid="assistant-model-selector"
        aria-haspopup="dialog"
        aria-expanded={open}
        title={model ? `${model.provider} ${model.name}` : undefined}
        className="flex h-7 min-w-0 items-center gap-1.5 rounded-md px-1.5 text-xs text-muted hover:bg-hover hover:text-ink"
        onClick={() => setOpen(!open)}
      >
        <span className="sr-only">{`${t("assistant.input.model")} `}</span>
        {current ? <ModelMark model={current} /> : null}
        <span className={cx("truncate", name !== null && "text-ink")}>{name ?? t("assistant.input.chooseModel")}</span>
        {current?.rehearsal ? <Badge tone="warn">{t("assistant.input.notAi")}</Badge> : null}
        <ChevronDown aria-hidden="true" className="size-3.5 shrink-0" />
      </button>
      {current && !current.rehearsal && isWeak(current) ? (
        <IconButton
          size="sm"
          data-testid="assistant-model-weak-hint"
          label={t("assistant.input.weak", { name: current.label })}
          icon={<TriangleAlert className="size-3.5 text-warn" />}
          onClick={() => setOpen(true)}
        />
      ) : null}
      {open ? (
        <Popup anchor={anchor} label={t("assistant.input.model")} width="wide" onClose={() => setOpen(false)}>
          <Models
            offered={offered}
            loading={config === null}
            model={model}
            onPick={(picked) => {
              onModel(picked);
              setOpen(false);
            }}
            onConfigure={() => {
              setOpen(false);
              onConfigure();
            }}
          />
        </Popup>
      ) : null}
    </>
  );
}

function ModelMark({ model }: { model: OfferedModel }) {
  return (
    <span data-provider={model.provider} className="contents">
      {model.rehearsal ? (
        <Drama aria-hidden="true" className="size-4 shrink-0 text-warn" />
      ) : (
        <ProviderDot name={model.provider} />
      )}
    </span>
  );
}

function Models({
  offered,
  loading,
  model,
  onPick,
  onConfigure,
}: {
  offered: OfferedModel[];
  loading: boolean;
  model: ModelChoice | null;
  onPick: (model: ModelChoice) => void;
  onConfigure: () => void;
}) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [refreshing, setRefreshing] = useState(false);
  const refresh = (): void => {
    if (refreshing) return;
    setRefreshing(true);
    client
      .refetchQueries({ queryKey: assistantConfigQuery.queryKey }, { throwOnError: true })
      .catch(toastError)
      .finally(() => setRefreshing(false));
  };
  return (
    <PickList
      label={t("assistant.input.models")}
      loading={loading}
      selected={model ? new Set([idOf(model)]) : NONE}
      items={offered.map((one) => ({
        id: idOf(one),
        label: one.label,
        group: one.provider,
        icon: <ModelMark model={one} />,
        ...(one.rehearsal
          ? { hint: t("assistant.input.rehearsal"), note: <Badge tone="warn">{t("assistant.input.notAi")}</Badge> }
          : isWeak(one)
            ? { hint: t("assistant.input.weakShort") }
            : {}),
      }))}
      onPick={(id) => {
        const picked = offered.find((one) => idOf(one) === id);
        if (picked) onPick({ provider: picked.provider, name: picked.name });
      }}
      empty={t("assistant.input.noModels")}
      footer={
        <>
          <PickAction icon={<Settings2 aria-hidden="true" />} onClick={onConfigure}>
            <span data-testid="assistant-manage-model-providers">{t("assistant.input.setUp")}</span>
          </PickAction>
          <PickAction
            icon={<RefreshCw aria-hidden="true" className={cx(refreshing && "motion-safe:animate-spin")} />}
            onClick={refresh}
          >
            <span data-testid="assistant-refresh-model-list">
              {refreshing ? t("assistant.input.refreshing") : t("assistant.input.refresh")}
            </span>
          </PickAction>
        </>
      }
    />
  );
}
