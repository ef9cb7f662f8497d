import { useQuery } from "@tanstack/react-query";
import { Compass, Lock, UserRound } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { getPublicFlow, type PublicFlow } from "@/api/publicChat";
import { configQuery, sessionQuery } from "@/api/session";
import { buttonClass } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Logo } from "@/ui/Logo";
import { Skeleton } from "@/ui/Skeleton";
import { useTitle } from "@/ui/useTitle";
import { Chat } from "./Chat";
import { accountSource, tabSource } from "./publicSource";
import { SessionList } from "./SessionList";
import { SessionBar } from "./SessionPicker";
import { useSessions } from "./useSessions";

/** A flow that somebody shared with everybody: to talk to, not to look into. */
export default function PublicPlaygroundPage({ flowId }: { flowId: string }) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ["public-chat", flowId],
    queryFn: ({ signal }) => getPublicFlow(flowId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const session = useQuery(sessionQuery);
  const config = useQuery(configQuery);
  const flow = query.data;
  const error = query.error ?? session.error ?? config.error;
  useTitle(flow?.name ?? t("playground.public.title"));
  // Who one is decides where the conversation is kept; it must not be written to both.
  const known = session.data && config.data ? { user: session.data.user, auto: config.data.auto_login } : null;
  return (
    <div className="flex h-full flex-col">
      <header className="flex min-h-(--topbar-h) shrink-0 items-center gap-3 border-b border-line bg-surface px-3 py-1.5">
        <Logo className="size-6 shrink-0" />
        <div className="min-w-0">
          <h1 className="truncate text-sm font-semibold">{flow?.name ?? t("playground.public.title")}</h1>
          {flow?.description ? <p className="line-clamp-2 text-xs text-muted">{flow.description}</p> : null}
        </div>
      </header>
      {flow && known ? (
        <PublicChat flow={flow} account={known.user !== null && !known.auto} />
      ) : (
        <main className="mx-auto flex w-full max-w-lg flex-1 flex-col justify-center p-6">
          {error === null ? (
            <Skeleton className="h-40" />
          ) : (
            <PublicError
              error={error}
              retry={() => {
                void query.refetch();
                void session.refetch();
                void config.refetch();
              }}
            />
          )}
        </main>
      )}
    </div>
  );
}

function PublicError({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation();
  const { status } = asApiError(error);
  if (![401, 403, 404, 422].includes(status)) return <ErrorNotice error={error} onRetry={retry} />;
  return (
    <EmptyState
      icon={<Compass />}
      title={t("playground.public.missingTitle")}
      actions={
        <a href="/" className={buttonClass("primary")}>
          {t("playground.public.home")}
        </a>
      }
    >
      {t("playground.public.missing")}
    </EmptyState>
  );
}

function PublicChat({ flow, account }: { flow: PublicFlow; account: boolean }) {
  const { t } = useTranslation();
  const source = useMemo(() => (account ? accountSource(flow) : tabSource(flow)), [flow, account]);
  const sessions = useSessions(source);
  const ends = { input: flow.has_chat_input ?? false, output: flow.has_chat_output ?? false };
  const runnable = flow.public_access?.can_execute !== false && (ends.input || ends.output);
  if (!runnable) {
    return (
      <main className="mx-auto flex w-full max-w-lg flex-1 flex-col justify-center p-6">
        <EmptyState icon={<Lock />} title={t("playground.public.closedTitle")}>
          {t("playground.public.closed")}
        </EmptyState>
      </main>
    );
  }
  return (
    <main className="flex min-h-0 flex-1">
      <div className="hidden w-64 shrink-0 flex-col border-r border-line bg-surface pt-4 md:flex">
        <p className="px-4 pb-3 text-sm font-semibold">{t("playground.session.list")}</p>
        <SessionList source={source} sessions={sessions} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="md:hidden">
          <SessionBar source={source} sessions={sessions} />
        </div>
        {account ? (
          <Kept icon={<UserRound aria-hidden="true" className="size-3.5 shrink-0" />}>
            {t("playground.public.keptAccount")}
          </Kept>
        ) : (
          <Kept icon={<Lock aria-hidden="true" className="size-3.5 shrink-0" />}>
            {t("playground.public.keptTab")}
          </Kept>
        )}
        <Chat source={source} session={sessions.current} ends={ends} />
      </div>
    </main>
  );
}

/** Where what is said here goes, before anything is said. */
function Kept({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex shrink-0 items-center justify-center gap-1.5 border-b border-line bg-sunken px-3 py-1.5 text-xs text-muted">
      {icon}
      <span>{children}</span>
    </p>
  );
}
