import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { apiKeyKeys, createApiKey } from "@/api/apiKeys";
import { queryClient } from "@/api/queryClient";
import { shellWord } from "@/flow/literals";
import { KEY_VARIABLE } from "@/flow/snippets";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { CodeBlock } from "./CodeBlock";

const LIFETIME_DAYS = 90;
const LONGEST_NAME = 60;

/** The one thing a snippet does not carry: the key. It is shown once, here, when it is made here. */
export function ApiKeyBox({ flowName }: { flowName: string }) {
  const { t } = useTranslation();
  const [key, setKey] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const create = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const expires = new Date(Date.now() + LIFETIME_DAYS * 86_400_000).toISOString();
      const made = await createApiKey({ name: flowName.slice(0, LONGEST_NAME), expires_at: expires });
      setKey(made.api_key);
      await queryClient.invalidateQueries({ queryKey: apiKeyKeys.all });
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return (
    <section aria-label={t("share.key.title")} className="space-y-2 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-48 flex-1">{t("share.key.set", { name: KEY_VARIABLE })}</p>
        {key === null ? (
          <Button size="sm" busy={busy} icon={<KeyRound aria-hidden="true" className="size-3.5" />} onClick={() => void create()}>
            {t("share.key.create")}
          </Button>
        ) : null}
      </div>
      <CodeBlock
        label={t("share.key.command")}
        code={`export ${KEY_VARIABLE}=${key === null ? "sk-…" : shellWord(key)}`}
      />
      <p role="status" className="text-xs text-muted">
        {key === null ? t("share.key.hint") : t("share.key.once", { count: LIFETIME_DAYS })}
      </p>
      {error ? <ErrorNotice error={error} /> : null}
    </section>
  );
}
