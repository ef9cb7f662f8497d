import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowDown, MessagesSquare } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { deleteMessage, editMessage, messageKeys, messagesQuery, restoreMessage } from "@/api/messages";
import type { MessageRead } from "@/api/types";
import type { ChatEnds } from "@/flow/chatEnds";
import { problemsBeside, threadOf } from "@/flow/chatRun";
import { type ChatMessage, parseMessages } from "@/flow/messages";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Skeleton } from "@/ui/Skeleton";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";
import { chatOf, useChats } from "./chatStore";
import { type MessageActions, MessageView } from "./MessageView";
import { PendingMessage, RunStatus } from "./RunStatus";
import { attach, forgetMessage, isGoing } from "./runner";
import { useStickToEnd } from "./useStickToEnd";

/** Messages drawn at first; the rest is a press away. */
const page = 100;

export function Thread({ flowId, session, ends }: { flowId: string; session: string; ends: ChatEnds }) {
  const { t } = useTranslation();
  const chat = chatOf(flowId, session);
  const query = useQuery({ ...messagesQuery(flowId, session), select: parseMessages });
  const run = useChats((state) => state.runs[chat] ?? null);
  const failure = useChats((state) => state.failures[chat] ?? null);
  const thread = useMemo(() => threadOf(query.data ?? [], run), [query.data, run]);
  const [shown, setShown] = useState(page);
  const actions = useMessageActions(flowId, session);
  const { scroller, content, away, onScroll, jump } = useStickToEnd(run?.startedAt ?? 0);
  const going = isGoing(run);

  // An answer that somebody else is having written here: another tab, a program.
  const last = query.data?.at(-1);
  const stray = last?.partial && last.runId !== run?.jobId ? last.runId : null;
  useEffect(() => {
    const control = new AbortController();
    attach(flowId, session, stray, control.signal).catch(() => {
      // The list below says so when the server cannot be asked.
    });
    return () => control.abort();
  }, [flowId, session, stray]);

  const visible = thread.slice(-shown);
  const problems = run ? problemsBeside(run, thread) : [];
  const empty = thread.length === 0 && !going && problems.length === 0 && !failure;

  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        aria-label={t("playground.conversation")}
        tabIndex={0}
        onScroll={onScroll}
        className="scroll-thin absolute inset-0 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div ref={content} className="mx-auto max-w-3xl space-y-5 px-4 py-4">
          {query.isPending ? <ThreadSkeleton /> : null}
          {query.error && !query.data ? (
            <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
          ) : null}
          {query.data && empty ? (
            <EmptyState icon={<MessagesSquare />} title={t("playground.emptyTitle")}>
              {ends.input ? t("playground.empty") : t("playground.emptyNoInput")}
            </EmptyState>
          ) : null}
          {thread.length > shown ? (
            <div className="text-center">
              <Button size="sm" onClick={() => setShown(shown + page)}>
                {t("playground.earlier")}
              </Button>
            </div>
          ) : null}
          {visible.map((message) => (
            <MessageView
              key={message.id}
              message={message}
              live={going && message.runId === run?.jobId}
              actions={actions}
            />
          ))}
          {run?.pending ? <PendingMessage text={run.pending.text} files={run.pending.files} /> : null}
          <RunStatus
            flowId={flowId}
            session={session}
            run={run}
            problems={problems}
            answered={thread.at(-1)?.fromPerson === false}
            answerless={!ends.output}
          />
          {failure ? <ErrorNotice error={failure} /> : null}
        </div>
      </section>
      {away ? (
        <Button
          size="sm"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-2"
          icon={<ArrowDown aria-hidden="true" className="size-3.5" />}
          onClick={jump}
        >
          {t("playground.jump")}
        </Button>
      ) : null}
      <Announcer going={going} thread={thread} />
    </div>
  );
}

/** Says the answer once it is there, instead of every token. */
function Announcer({ going, thread }: { going: boolean; thread: ChatMessage[] }) {
  const { t } = useTranslation();
  const [begun, setBegun] = useState(false);
  if (going && !begun) setBegun(true);
  const last = thread.at(-1);
  const answer = begun && !going && last && !last.fromPerson ? last.text : "";
  return (
    <p role="status" className="sr-only">
      {going ? t("playground.running") : answer}
    </p>
  );
}

function ThreadSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")} className="space-y-5">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex gap-3">
          <Skeleton className="size-7 rounded-full" />
          <Skeleton className="h-14 flex-1" />
        </div>
      ))}
    </div>
  );
}

function useMessageActions(flowId: string, session: string): MessageActions {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const key = useMemo(() => messageKeys.list(flowId, session), [flowId, session]);
  const reload = useCallback(() => queries.invalidateQueries({ queryKey: key }), [queries, key]);
  return useMemo(
    () => ({
      edit: async (message, text) => {
        await editMessage(message.id, text);
        forgetMessage(chatOf(flowId, session), message.id);
        await reload();
      },
      remove: async (message) => {
        await deleteMessage(message.id);
        forgetMessage(chatOf(flowId, session), message.id);
        queries.setQueryData<MessageRead[]>(key, (list) => list?.filter((item) => item.id !== message.id));
        const undo = async (): Promise<void> => {
          try {
            await restoreMessage(message.raw as MessageRead);
            await reload();
          } catch (error) {
            toastError(error);
          }
        };
        showToast({
          message: t("playground.deleted"),
          action: { label: t("common.undo"), run: () => void undo() },
        });
      },
    }),
    [queries, key, reload, t, flowId, session],
  );
}
