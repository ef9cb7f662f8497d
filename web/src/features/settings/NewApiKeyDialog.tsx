import { type FormEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { apiKeyKeys, createApiKey } from "@/api/apiKeys";
import { asApiError } from "@/api/error";
import { queryClient } from "@/api/queryClient";
import { Button } from "@/ui/Button";
import { CopyButton } from "@/ui/CopyButton";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { Select } from "@/ui/Select";

type Lifetime = "30" | "90" | "365" | "never" | "date";

export function expiryOf(lifetime: Lifetime, date: string, now: number): string | undefined {
  if (lifetime === "never") return undefined;
  if (lifetime === "date") {
    const end = new Date(`${date}T23:59:59`);
    return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
  }
  return new Date(now + Number(lifetime) * 86_400_000).toISOString();
}

export function NewApiKeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const form = useId();
  const first = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState<Lifetime>("90");
  const [date, setDate] = useState("");
  const [secret, setSecret] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const problem = error ? asApiError(error) : null;
  const noDate = lifetime === "date" && !date;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!name.trim() || noDate) {
      setMissing(true);
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const expires = expiryOf(lifetime, date, Date.now());
      const key = await createApiKey({ name: name.trim(), ...(expires ? { expires_at: expires } : {}) });
      setSecret(key.api_key);
      await queryClient.invalidateQueries({ queryKey: apiKeyKeys.all });
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  if (secret !== null) {
    return (
      <Dialog
        open
        onClose={onClose}
        dismissible={false}
        title={t("settings.keys.onceTitle")}
        description={t("settings.keys.once")}
        footer={
          <Button variant="primary" onClick={onClose}>
            {t("settings.keys.onceDone")}
          </Button>
        }
      >
        <div className="flex items-center gap-2">
          <Input
            readOnly
            aria-label={t("settings.keys.key")}
            value={secret}
            className="font-mono text-xs"
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={secret} />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("settings.keys.new")}
      description={t("settings.keys.newHint")}
      initialFocus={first}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {t("settings.keys.create")}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={t("settings.keys.name")}
          required
          hint={t("settings.keys.nameHint")}
          error={missing && !name.trim() ? t("settings.nameMissing") : problem?.field("name")}
        >
          {(control) => (
            <Input {...control} ref={first} value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Field label={t("settings.keys.expires")}>
          {({ id }) => (
            <Select<Lifetime>
              id={id}
              value={lifetime}
              onChange={setLifetime}
              options={[
                { value: "30", label: t("settings.keys.days", { count: 30 }) },
                { value: "90", label: t("settings.keys.days", { count: 90 }) },
                { value: "365", label: t("settings.keys.days", { count: 365 }) },
                { value: "date", label: t("settings.keys.onDate") },
                { value: "never", label: t("settings.keys.never") },
              ]}
            />
          )}
        </Field>
        {lifetime === "date" ? (
          <Field
            label={t("settings.keys.date")}
            required
            error={missing && noDate ? t("settings.keys.dateMissing") : problem?.field("expires_at")}
          >
            {(control) => (
              <Input {...control} type="date" value={date} onChange={(event) => setDate(event.target.value)} />
            )}
          </Field>
        ) : null}
        {error ? <ErrorNotice error={error} /> : null}
      </form>
    </Dialog>
  );
}
