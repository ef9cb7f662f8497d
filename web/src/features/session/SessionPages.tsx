import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { configQuery } from "@/api/session";
import { createUser } from "@/api/users";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { Logo } from "@/ui/Logo";
import { PasswordInput } from "@/ui/PasswordInput";
import { useTitle } from "@/ui/useTitle";
import { openSession, openWithoutPassword } from "./session";
import { SignInForm } from "./SignInForm";

/** Only paths of this page: an address from outside must not decide where a sign-in leads. */
export function safeNext(next: unknown): string {
  return typeof next === "string" && /^\/(?![/\\])/.test(next) ? next : "/";
}

function Frame({ title, children, footer }: { title: string; children: ReactNode; footer?: ReactNode }) {
  useTitle(title);
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex flex-col items-center gap-3">
          <Logo className="size-10" />
          <h1 className="text-xl font-semibold">{title}</h1>
        </div>
        <div className="rounded-xl border border-line bg-surface p-6 shadow-1">{children}</div>
        <p className="mt-4 min-h-5 text-center text-sm text-muted">{footer}</p>
      </div>
    </main>
  );
}

function useLeave() {
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { next?: unknown };
  return () => void navigate({ href: safeNext(search.next), replace: true });
}

const linkClass = "rounded-sm font-medium text-accent underline-offset-2 hover:underline";

export function SignInPage() {
  const { t } = useTranslation();
  const config = useQuery(configQuery);
  const leave = useLeave();
  const [error, setError] = useState<unknown>(null);

  const enter = async () => {
    setError(null);
    try {
      await openWithoutPassword();
      leave();
    } catch (cause) {
      setError(cause);
    }
  };

  return (
    <Frame
      title={t("session.signInTitle")}
      footer={
        config.data?.signup_enabled ? (
          <>
            {t("session.noAccount")}{" "}
            <Link to="/signup" className={linkClass}>
              {t("session.signUp")}
            </Link>
          </>
        ) : null
      }
    >
      <SignInForm onDone={leave} />
      {config.data?.auto_login ? (
        <div className="mt-4 space-y-3 border-t border-line pt-4">
          <Button className="w-full" onClick={() => void enter()}>
            {t("session.withoutPassword")}
          </Button>
          {error ? <ErrorNotice error={error} /> : null}
        </div>
      ) : null}
    </Frame>
  );
}

export function SignUpPage() {
  const { t } = useTranslation();
  const config = useQuery(configQuery);
  const leave = useLeave();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const minPassword = config.data?.min_password_length ?? 12;
  const short = password.length > 0 && password.length < minPassword;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || password.length < minPassword) return;
    setBusy(true);
    setError(null);
    try {
      const user = await createUser({ username: username.trim(), password });
      if (!user.is_active) {
        setWaiting(true);
        return;
      }
      await openSession(username.trim(), password);
      leave();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  const back = (
    <Link to="/login" className={linkClass}>
      {t("session.toSignIn")}
    </Link>
  );
  if (config.data && !config.data.signup_enabled) {
    return (
      <Frame title={t("session.signUpTitle")} footer={back}>
        <p className="text-sm text-muted">{t("session.signUpClosed")}</p>
      </Frame>
    );
  }
  if (waiting) {
    return (
      <Frame title={t("session.waitingTitle")} footer={back}>
        <p role="status" className="text-sm text-muted">
          {t("session.waiting", { name: username.trim() })}
        </p>
      </Frame>
    );
  }
  const problem = error ? asApiError(error) : null;
  return (
    <Frame title={t("session.signUpTitle")} footer={back}>
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Field label={t("session.username")} required error={problem?.field("username")}>
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
        <Field
          label={t("session.password")}
          required
          hint={t("session.passwordHint", { count: minPassword })}
          error={problem?.field("password") ?? (short ? t("session.passwordHint", { count: minPassword }) : null)}
        >
          {(control) => (
            <PasswordInput
              {...control}
              minLength={minPassword}
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {error ? <ErrorNotice error={error} /> : null}
        <Button type="submit" variant="primary" busy={busy} className="w-full">
          {t("session.createAccount")}
        </Button>
      </form>
    </Frame>
  );
}
