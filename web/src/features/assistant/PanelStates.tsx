import { KeyRound, PowerOff, Sparkles, TheaterIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Editor } from "@/stores/editor/state";
import { Button } from "@/ui/Button";
import { offeredModels } from "./input/models";
import type { AssistantConfig, ModelChoice } from "./model/types";

/** Whoever runs the server does not want it. */
export function Disabled() {
  const { t } = useTranslation();
  return (
    <div data-testid="assistant-disabled-state" className="flex gap-3 p-4">
      <PowerOff aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
      <div>
        <p className="text-sm font-semibold">{t("assistant.panel.disabledTitle")}</p>
        <p className="mt-0.5 text-sm text-muted">{t("assistant.panel.disabled")}</p>
      </div>
    </div>
  );
}

/** Nobody to talk to: a provider can be set up here, or the rehearsal taken, which is no AI and says so. */
export function NoModels({
  config,
  draft,
  small,
  onConfigure,
  onModel,
}: {
  config: AssistantConfig;
  draft: string;
  /** It stands under a conversation. */
  small: boolean;
  onConfigure: () => void;
  onModel: (model: ModelChoice) => void;
}) {
  const { t } = useTranslation();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!small) first.current?.focus();
  }, [small]);
  const rehearsal = offeredModels(config).find((model) => model.rehearsal);
  return (
    <div className={small ? "shrink-0 border-t border-line p-4" : "p-5"}>
      <p className="text-sm font-semibold">{t("assistant.panel.noModelsTitle")}</p>
      <p className="mt-0.5 text-sm text-muted">{t("assistant.panel.noModels")}</p>
      {draft.trim() === "" ? null : (
        <p className="mt-2 line-clamp-2 text-sm text-muted">{t("assistant.panel.draftKept", { text: draft.trim() })}</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="primary"
          ref={first}
          data-testid="assistant-no-models-configure-providers"
          icon={<KeyRound aria-hidden="true" className="size-4" />}
          onClick={onConfigure}
        >
          {t("assistant.panel.configure")}
        </Button>
        {rehearsal ? (
          <Button
            data-testid="assistant-rehearsal-offer"
            icon={<TheaterIcon aria-hidden="true" className="size-4" />}
            onClick={() => onModel(rehearsal)}
          >
            {t("assistant.panel.rehearsal")}
          </Button>
        ) : null}
      </div>
      {rehearsal ? <p className="mt-2 text-xs text-muted">{t("assistant.panel.rehearsalHint")}</p> : null}
    </div>
  );
}

const ideas = {
  empty: ["assistant.panel.suggest.chatbot", "assistant.panel.suggest.tools", "assistant.panel.suggest.help"],
  filled: ["assistant.panel.suggest.explain", "assistant.panel.suggest.improve", "assistant.panel.suggest.component"],
} as const;

/** Before anything was said. */
export function Greeting({
  editor,
  disabled,
  onPick,
}: {
  editor: Editor;
  disabled: boolean;
  onPick: (text: string) => void;
}) {
  const { t } = useTranslation();
  const filled = useStore(editor, (state) => state.flow.nodes.length > 0);
  return (
    <div className="grow px-4 pt-4 pb-2">
      <p className="text-lg font-semibold">{t("assistant.panel.greeting")}</p>
      <p className="mt-0.5 text-sm text-muted">{t("assistant.panel.greetingHint")}</p>
      <ul aria-label={t("assistant.panel.suggestions")} className="mt-3 flex flex-wrap gap-2">
        {ideas[filled ? "filled" : "empty"].map((idea) => (
          <li key={idea}>
            <button
              type="button"
              disabled={disabled}
              className="inline-flex items-center gap-1.5 rounded-full border border-line-strong px-3 py-1 text-left text-xs hover:bg-hover"
              onClick={() => onPick(t(idea))}
            >
              <Sparkles aria-hidden="true" className="size-3 shrink-0 text-accent" />
              {t(idea)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
