import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { queryClient } from "@/api/queryClient";
import { configQuery, sessionKeys } from "@/api/session";
import type { UserRead } from "@/api/types";
import { changePassword } from "@/api/users";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field } from "@/ui/Field";
import { PasswordInput } from "@/ui/PasswordInput";
import { showToast } from "@/ui/toasts";
import { Section } from "./Section";

export function PasswordSection({ user }: { user: UserRead }) {
  const { t } = useTranslation();
  const config = useQuery(configQuery).data;
  const minPassword = config?.min_password_length ?? 12;
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const short = password.length > 0 && password.length < minPassword;
  const differs = again.length > 0 && again !== password;
  const ready =
    password.length >= minPassword && again === password && (!user.has_password || current.length > 0);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready || busy) return;
    setBusy(true);
    setError(null);
    try {
      await changePassword(user.id, user.has_password ? current : "", password);
      setCurrent("");
      setPassword("");
      setAgain("");
      await queryClient.invalidateQueries({ queryKey: sessionKeys.session });
      showToast({ tone: "success", message: t("settings.password.saved") });
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  const explain = user.has_password
    ? t("settings.password.hint")
    : config?.auto_login
      ? t("settings.password.single")
      : t("settings.password.none");
  return (
    <Section
      title={user.has_password ? t("settings.password.change") : t("settings.password.set")}
      description={explain}
    >
      <form className="max-w-md space-y-4" onSubmit={(event) => void save(event)}>
        <input type="text" hidden readOnly autoComplete="username" value={user.username} />
        {user.has_password ? (
          <Field
            label={t("settings.password.current")}
            required
            error={error ? asApiError(error).field("current_password") : null}
          >
            {(control) => (
              <PasswordInput
                {...control}
                autoComplete="current-password"
                value={current}
                onChange={(event) => setCurrent(event.target.value)}
              />
            )}
          </Field>
        ) : null}
        <Field
          label={t("settings.password.new")}
          required
          hint={t("session.passwordHint", { count: minPassword })}
          error={short ? t("session.passwordHint", { count: minPassword }) : null}
        >
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Field
          label={t("settings.password.again")}
          required
          error={differs ? t("settings.password.differs") : null}
        >
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="new-password"
              value={again}
              onChange={(event) => setAgain(event.target.value)}
            />
          )}
        </Field>
        {error ? <ErrorNotice error={error} /> : null}
        <Button type="submit" variant="primary" busy={busy} disabled={!ready}>
          {user.has_password ? t("settings.password.change") : t("settings.password.set")}
        </Button>
      </form>
    </Section>
  );
}
