import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, ExternalLink } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { checkProvider, modelKeys } from "@/api/models";
import { queryClient } from "@/api/queryClient";
import type { ProviderChecked, ProviderModels, ProviderVariable } from "@/api/types";
import { createVariable, deleteVariable, patchVariable, variableKeys, variablesQuery } from "@/api/variables";
import { Button } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { PasswordInput } from "@/ui/PasswordInput";
import { Select } from "@/ui/Select";
import { showToast } from "@/ui/toasts";

/** The provider's settings: kept as global variables, tried before they are saved. */
export function ConnectionForm({ provider, onDone }: { provider: ProviderModels; onDone: () => void }) {
  const { t } = useTranslation();
  const name = provider.provider;
  const variables = useQuery(variablesQuery);
  const [values, setValues] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState<"test" | "save" | null>(null);
  const [checked, setChecked] = useState<ProviderChecked | null>(null);
  const [asked, setAsked] = useState(false);
  const [removing, setRemoving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const saved = (key: string) => variables.data?.find((variable) => variable.name === key);
  const isMissing = (variable: ProviderVariable) =>
    variable.required && !variable.default && !variable.is_set && !values[variable.variable_key]?.trim();
  const missing = provider.variables.some(isMissing);

  const set = (key: string, value: string) => {
    setValues((before) => ({ ...before, [key]: value }));
    setChecked(null);
  };

  const given = () =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));

  const test = async (): Promise<ProviderChecked | null> => {
    setError(null);
    setChecked(null);
    try {
      const answer = await checkProvider(name, given());
      setChecked(answer);
      return answer;
    } catch (cause) {
      setError(cause);
      return null;
    }
  };

  const store = async () => {
    for (const variable of provider.variables) {
      const value = values[variable.variable_key];
      if (value === undefined) continue;
      const known = saved(variable.variable_key);
      if (known && value.trim() === "") {
        if (!variable.is_secret) await deleteVariable(known.id);
      } else if (known) {
        await patchVariable(known.id, { value: value.trim() });
      } else if (value.trim() !== "") {
        await createVariable({
          name: variable.variable_key,
          value: value.trim(),
          type: variable.is_secret ? "Credential" : "Generic",
          default_fields: [],
        });
      }
    }
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: variableKeys.all }),
      queryClient.invalidateQueries({ queryKey: modelKeys.all }),
    ]);
    showToast({ message: t("models.saved", { name }), tone: "success" });
    onDone();
  };

  const run = async (kind: "test" | "save", work: () => Promise<unknown>) => {
    if (busy) return;
    setAsked(true);
    if (missing) return;
    setBusy(kind);
    try {
      await work();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(null);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run("save", async () => {
      const answer = await test();
      if (answer?.valid) await store();
    });
  };

  const remove = async () => {
    for (const variable of provider.variables) {
      const known = saved(variable.variable_key);
      if (known) await deleteVariable(known.id);
    }
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: variableKeys.all }),
      queryClient.invalidateQueries({ queryKey: modelKeys.all }),
    ]);
    showToast({ message: t("models.removed", { name }) });
    onDone();
  };

  return (
    <form noValidate className="space-y-4" onSubmit={submit}>
      {provider.variables.map((variable) => (
        <VariableField
          key={variable.variable_key}
          variable={variable}
          saved={saved(variable.variable_key)?.value ?? null}
          value={values[variable.variable_key]}
          error={asked && isMissing(variable) ? t("models.missing") : null}
          onChange={(value) => set(variable.variable_key, value)}
        />
      ))}
      {provider.help_url ? (
        <a
          href={provider.help_url}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 rounded-sm text-sm text-accent hover:underline"
        >
          {t("models.getKey", { name })}
          <ExternalLink aria-hidden="true" className="size-3.5" />
        </a>
      ) : null}
      <div role="status" aria-live="polite">
        {busy && !checked ? <p className="text-sm text-muted">{t("models.testing", { name })}</p> : null}
        {checked ? <Checked name={name} checked={checked} /> : null}
      </div>
      {error ? <ErrorNotice error={error} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        {provider.variables.some((variable) => variable.is_set) ? (
          <Button variant="ghost" className="text-danger" onClick={() => setRemoving(true)}>
            {t("models.remove")}
          </Button>
        ) : null}
        <span className="flex-1" />
        <Button busy={busy === "test"} onClick={() => void run("test", test)}>
          {t("models.test")}
        </Button>
        {checked && !checked.valid ? (
          <Button busy={busy === "save"} onClick={() => void run("save", store)}>
            {t("models.saveAnyway")}
          </Button>
        ) : null}
        <Button type="submit" variant="primary" busy={busy === "save"}>
          {t("common.save")}
        </Button>
      </div>
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={t("models.removeTitle", { name })}
        description={t("models.removeConfirm")}
        confirmLabel={t("models.remove")}
        onConfirm={remove}
      />
    </form>
  );
}

function VariableField({
  variable,
  saved,
  value,
  error,
  onChange,
}: {
  variable: ProviderVariable;
  /** What is stored, when it may be shown. */
  saved: string | null;
  value: string | undefined;
  error: string | null;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  if (variable.is_secret && variable.is_set && value === undefined) {
    return (
      <div className="space-y-1">
        <p className="text-sm font-medium">{variable.variable_name}</p>
        <div className="flex items-center gap-3 rounded-md border border-line bg-sunken px-3 py-2">
          <p className="flex-1 text-sm text-muted">{t("models.stored")}</p>
          <Button size="sm" onClick={() => onChange("")}>
            {t("models.replace")}
          </Button>
        </div>
      </div>
    );
  }
  const hint = variable.default
    ? `${variable.description} ${t("models.defaultIs", { value: variable.default })}`
    : variable.description;
  const shown = value ?? saved ?? "";
  return (
    <Field
      label={variable.variable_name}
      hint={hint}
      error={error}
      required={variable.required && !variable.default}
      optional={!variable.required || variable.default !== ""}
    >
      {(control) => {
        if (variable.is_secret) {
          return (
            <PasswordInput
              {...control}
              autoComplete="off"
              value={shown}
              onChange={(event) => onChange(event.target.value)}
            />
          );
        }
        if (variable.options.length > 0) {
          return (
            <Select
              id={control.id}
              aria-describedby={control["aria-describedby"]}
              value={shown}
              onChange={onChange}
              options={[
                { value: "", label: "–" },
                ...variable.options.map((option) => ({ value: option, label: option })),
              ]}
            />
          );
        }
        return (
          <Input
            {...control}
            spellCheck={false}
            autoComplete="off"
            placeholder={variable.default}
            value={shown}
            onChange={(event) => onChange(event.target.value)}
          />
        );
      }}
    </Field>
  );
}

function Checked({ name, checked }: { name: string; checked: ProviderChecked }) {
  const { t } = useTranslation();
  if (checked.valid) {
    return (
      <p className="flex items-start gap-2 rounded-lg border border-ok/40 bg-ok-soft p-3 text-sm">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ok" />
        {t("models.works", { name })}
      </p>
    );
  }
  return (
    <div className="flex gap-2.5 rounded-lg border border-danger/40 bg-danger-soft p-3 text-sm">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{checked.error}</p>
        {checked.advice ? <p className="break-words text-muted">{checked.advice}</p> : null}
        {checked.cause ? (
          <details className="mt-1 text-xs text-muted">
            <summary className="w-fit rounded-sm">{t("common.details")}</summary>
            <p className="mt-1 font-mono break-all text-ink">{checked.cause}</p>
          </details>
        ) : null}
      </div>
    </div>
  );
}
