import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { queryClient } from "@/api/queryClient";
import { configQuery } from "@/api/session";
import type { UserRead } from "@/api/types";
import { createUser, patchUser, userKeys } from "@/api/users";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { PasswordInput } from "@/ui/PasswordInput";
import { showToast } from "@/ui/toasts";

export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const form = useId();
  const adminId = useId();
  const first = useRef<HTMLInputElement>(null);
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [admin, setAdmin] = useState(false);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const problem = error ? asApiError(error) : null;
  const minPassword = useQuery(configQuery).data?.min_password_length ?? 12;
  const short = password.length < minPassword;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || !username.trim() || short) return;
    setBusy(true);
    setError(null);
    try {
      await createUser({ username: username.trim(), password, is_active: true, is_superuser: admin });
      await queryClient.invalidateQueries({ queryKey: userKeys.all });
      onClose();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={t("settings.users.new")}
      description={t("settings.users.newHint")}
      initialFocus={first}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {t("settings.users.create")}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={t("session.username")}
          required
          error={tried && !username.trim() ? t("settings.nameMissing") : problem?.field("username")}
        >
          {(control) => (
            <Input
              {...control}
              ref={first}
              autoComplete="off"
              spellCheck={false}
              value={username}
              onChange={(event) => setUsername(event.target.value)}
            />
          )}
        </Field>
        <Field
          label={t("session.password")}
          required
          hint={t("session.passwordHint", { count: minPassword })}
          error={
            tried && short ? t("session.passwordHint", { count: minPassword }) : problem?.field("password")
          }
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
        <div className="flex items-center gap-2">
          <Checkbox id={adminId} checked={admin} onChange={setAdmin} />
          <label htmlFor={adminId}>{t("settings.users.makeAdmin")}</label>
        </div>
        {error ? <ErrorNotice error={error} /> : null}
      </form>
    </Dialog>
  );
}

export function ResetPasswordDialog({ user, onClose }: { user: UserRead; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useId();
  const first = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const minPassword = useQuery(configQuery).data?.min_password_length ?? 12;
  const short = password.length < minPassword;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || short) return;
    setBusy(true);
    setError(null);
    try {
      await patchUser(user.id, { password });
      showToast({
        tone: "success",
        message: t("settings.users.resetDone", { name: user.username }),
      });
      onClose();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={t("settings.users.resetTitle", { name: user.username })}
      description={t("settings.users.resetHint")}
      initialFocus={first}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {t("settings.password.set")}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={t("settings.password.new")}
          required
          hint={t("session.passwordHint", { count: minPassword })}
          error={tried && short ? t("session.passwordHint", { count: minPassword }) : null}
        >
          {(control) => (
            <PasswordInput
              {...control}
              ref={first}
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {error ? <ErrorNotice error={error} /> : null}
      </form>
    </Dialog>
  );
}
