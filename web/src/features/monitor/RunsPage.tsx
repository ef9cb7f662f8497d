import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { flowKeys, getFlow } from "@/api/flows";
import { Breadcrumbs } from "@/ui/Breadcrumbs";
import { buttonClass } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Skeleton } from "@/ui/Skeleton";
import { TopBarTitle } from "@/ui/TopBarSlots";
import { useTitle } from "@/ui/useTitle";
import RunsPanel from "./RunsPanel";

/** The runs of a flow on a page of their own. */
export default function RunsPage({
  flowId,
  onSession,
}: {
  flowId: string;
  onSession: (session: string) => void;
}) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: flowKeys.one(flowId),
    queryFn: ({ signal }) => getFlow(flowId, signal),
  });
  const flow = query.data?.flow;
  useTitle(flow ? `${t("runs.title")} · ${flow.name}` : t("runs.title"));
  if (!flow) {
    return (
      <main className="mx-auto w-full max-w-lg p-6">
        {query.error === null ? (
          <Skeleton className="h-40" />
        ) : asApiError(query.error).status === 404 ? (
          <EmptyState
            heading="h1"
            icon={<Compass />}
            title={t("flow.page.missingTitle")}
            actions={
              <Link to="/" className={buttonClass("primary")}>
                {t("flow.page.toFlows")}
              </Link>
            }
          >
            {t("flow.page.missing")}
          </EmptyState>
        ) : (
          <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
        )}
      </main>
    );
  }
  return (
    <main className="flex min-h-0 flex-1 flex-col bg-surface">
      <h1 className="sr-only">{t("runs.title")}</h1>
      <TopBarTitle>
        <Breadcrumbs items={[{ label: flow.name, to: `/flow/${flow.id}` }, { label: t("runs.title") }]} />
      </TopBarTitle>
      <RunsPanel flowId={flowId} onSession={onSession} />
    </main>
  );
}
