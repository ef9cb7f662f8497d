import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { UserRead } from "@/api/types";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { PasswordInput } from "@/ui/PasswordInput";
import { openSession } from "./session";

export function SignInForm({
  username: fixed,
  onDone,
}: {
  username?: string;
  onDone: (user: UserRead | null) => void;
}) {
  const { t } = useTranslation();
  const [username, setUsername] = useState(fixed ?? "");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      onDone(await openSession(username.trim(), password));
    } catch (cause) {
      setError(cause);
      setPassword("");
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="space-y-4" onSubmit={(event) => void submit(event)}>
      <Field label={t("session.username")} required>
        {(control) => (
          <Input
            {...control}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        )}
      </Field>
      <Field label={t("session.password")} required>
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {error ? <ErrorNotice error={error} /> : null}
      <Button type="submit" variant="primary" busy={busy} className="w-full">
        {t("session.signIn")}
      </Button>
    </form>
  );
}
