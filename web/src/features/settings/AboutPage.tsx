import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookOpen, Scale } from "lucide-react";
import { useTranslation } from "react-i18next";
import { configQuery, healthQuery, versionQuery } from "@/api/session";
import { Badge } from "@/ui/Badge";
import { buttonClass } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { PageHeader } from "@/ui/Page";
import { Skeleton } from "@/ui/Skeleton";
import { Section } from "./Section";

export default function AboutPage() {
  const { t } = useTranslation();
  const version = useQuery(versionQuery);
  const health = useQuery(healthQuery);
  const config = useQuery(configQuery).data;
  const well = health.data?.status === "ok" && health.data.db === "ok";

  return (
    <>
      <PageHeader title={t("settings.about.title")} description={t("settings.about.hint")} />
      <Section title="Ferroflow">
        <dl className="grid max-w-md grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2">
          <dt className="text-muted">{t("settings.about.version")}</dt>
          <dd className="min-h-5">{version.data?.version ?? <Skeleton className="h-4 w-16" />}</dd>
          <dt className="text-muted">{t("settings.about.server")}</dt>
          <dd className="min-h-5">
            {health.data ? (
              <Badge tone={well ? "ok" : "danger"}>
                {well ? t("settings.about.well") : t("settings.about.unwell")}
              </Badge>
            ) : health.isError ? (
              <Badge tone="danger">{t("settings.about.unwell")}</Badge>
            ) : (
              <Skeleton className="h-4 w-16" />
            )}
          </dd>
          <dt className="text-muted">{t("settings.about.mode")}</dt>
          <dd className="min-h-5">
            {config ? (config.auto_login ? t("settings.about.single") : t("settings.about.multi")) : null}
          </dd>
        </dl>
        {health.isError ? (
          <div className="mt-4">
            <ErrorNotice error={health.error} onRetry={() => void health.refetch()} />
          </div>
        ) : null}
        <div className="mt-5 flex flex-wrap gap-2">
          <Link to="/docs" className={buttonClass()}>
            <BookOpen aria-hidden="true" className="size-4" />
            {t("shell.apiReference")}
          </Link>
          <a href="/licences.txt" target="_blank" rel="noreferrer" className={buttonClass()}>
            <Scale aria-hidden="true" className="size-4" />
            {t("settings.about.licences")}
          </a>
        </div>
      </Section>
    </>
  );
}
