import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isMissingPart } from "@/lib/part";
import { Button, buttonClass } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Logo } from "@/ui/Logo";
import { useTitle } from "@/ui/useTitle";

export function NotFoundPage() {
  const { t } = useTranslation();
  useTitle(t("shell.notFoundTitle"));
  return (
    <main className="flex min-h-full flex-1 items-center justify-center overflow-y-auto">
      <EmptyState
        heading="h1"
        icon={<Compass />}
        title={t("shell.notFoundTitle")}
        actions={
          <Link to="/" className={buttonClass("primary")}>
            {t("shell.toFlows")}
          </Link>
        }
      >
        {t("shell.notFound")}
      </EmptyState>
    </main>
  );
}

export function ErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useTranslation();
  useTitle(t("shell.errorTitle"));
  return (
    <main className="flex min-h-full flex-1 items-center justify-center overflow-y-auto p-4">
      <div className="w-full max-w-lg space-y-4">
        <div className="flex items-center gap-3">
          <Logo className="size-8" />
          <h1 className="text-xl font-semibold">{t("shell.errorTitle")}</h1>
        </div>
        <ErrorNotice error={error} />
        <div className="flex gap-2">
          {isMissingPart(error) ? null : (
            <Button variant="primary" onClick={reset}>
              {t("common.retry")}
            </Button>
          )}
          <Button {...(isMissingPart(error) ? { variant: "primary" } : {})} onClick={() => location.reload()}>
            {t("shell.reload")}
          </Button>
          <a href="/" className={buttonClass("ghost")}>
            {t("shell.toFlows")}
          </a>
        </div>
      </div>
    </main>
  );
}
