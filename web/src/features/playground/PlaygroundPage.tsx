import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Compass, PanelRight } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { flowKeys, getFlow } from "@/api/flows";
import type { FlowRead } from "@/api/types";
import { chatEnds } from "@/flow/chatEnds";
import { Breadcrumbs } from "@/ui/Breadcrumbs";
import { buttonClass } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Skeleton } from "@/ui/Skeleton";
import { TopBarActions, TopBarTitle } from "@/ui/TopBarSlots";
import { useTitle } from "@/ui/useTitle";
import { Chat } from "./Chat";
import { serverSource } from "./serverSource";
import { SessionList } from "./SessionList";
import { SessionBar } from "./SessionPicker";
import { useSessions } from "./useSessions";

export default function PlaygroundPage({ flowId }: { flowId: string }) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: flowKeys.one(flowId),
    queryFn: ({ signal }) => getFlow(flowId, signal),
  });
  const flow = query.data?.flow;
  useTitle(flow ? `${t("playground.title")} · ${flow.name}` : t("playground.title"));
  if (flow) return <PlaygroundOf flow={flow} />;
  return (
    <main className="mx-auto w-full max-w-lg p-6">
      {query.error === null ? (
        <Skeleton className="h-40" />
      ) : asApiError(query.error).status === 404 ? (
        <EmptyState
          heading="h1"
          icon={<Compass />}
          title={t("playground.missingTitle")}
          actions={
            <Link to="/" className={buttonClass("primary")}>
              {t("playground.toFlows")}
            </Link>
          }
        >
          {t("playground.missing")}
        </EmptyState>
      ) : (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      )}
    </main>
  );
}

function PlaygroundOf({ flow }: { flow: FlowRead }) {
  const { t } = useTranslation();
  const source = serverSource(flow.id);
  const sessions = useSessions(source);
  const ends = useMemo(() => chatEnds(flow.data), [flow.data]);
  return (
    <main className="flex min-h-0 flex-1">
      <TopBarTitle>
        <Breadcrumbs items={[{ label: flow.name, to: `/flow/${flow.id}` }, { label: t("playground.title") }]} />
      </TopBarTitle>
      <TopBarActions>
        <Link
          to="/flow/$flowId"
          params={{ flowId: flow.id }}
          className={buttonClass("ghost")}
          aria-label={t("playground.toFlow")}
        >
          <PanelRight aria-hidden="true" className="size-4" />
          <span className="hidden sm:inline">{t("playground.toFlow")}</span>
        </Link>
      </TopBarActions>
      <div className="hidden w-64 shrink-0 flex-col border-r border-line bg-surface pt-4 md:flex">
        <p className="px-4 pb-3 text-sm font-semibold">{t("playground.session.list")}</p>
        <SessionList source={source} sessions={sessions} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <h1 className="sr-only">{t("playground.title")}</h1>
        <div className="md:hidden">
          <SessionBar source={source} sessions={sessions} />
        </div>
        {ends.input || ends.output ? (
          <Chat source={source} session={sessions.current} ends={ends} />
        ) : (
          <EmptyState
            icon={<Compass />}
            title={t("playground.noEndsTitle")}
            actions={
              <Link to="/flow/$flowId" params={{ flowId: flow.id }} className={buttonClass("primary")}>
                {t("playground.toFlow")}
              </Link>
            }
          >
            {t("playground.noEnds")}
          </EmptyState>
        )}
      </div>
    </main>
  );
}
