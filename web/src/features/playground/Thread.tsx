import { useQuery } from "@tanstack/react-query";
import { ArrowDown, Info, MessagesSquare } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { chunker } from "@/flow/chatChunks";
import type { ChatEnds } from "@/flow/chatEnds";
import { type ChatRun, problemsBeside, threadOf } from "@/flow/chatRun";
import { lastTurn } from "@/flow/chatTurns";
import { type ChatMessage, parseMessages } from "@/flow/messages";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Skeleton } from "@/ui/Skeleton";
import { attach } from "./attach";
import { chatOf, useChats } from "./chatStore";
import { EarlierMessages } from "./EarlierMessages";
import { MessageChunk, type Places } from "./MessageChunk";
import { PendingMessage, RunStatus } from "./RunStatus";
import { isGoing } from "./runner";
import { retry } from "./retry";
import { type ChatSource, messagesQuery } from "./source";
import { useMessageActions } from "./useMessageActions";
import { useStickToEnd } from "@/ui/useStickToEnd";

const nowhere: Places = new Map();

export function Thread({ source, session, ends }: { source: ChatSource; session: string; ends: ChatEnds }) {
  const { t } = useTranslation();
  const chat = chatOf(source, session);
  const query = useQuery(messagesQuery(source, session));
  const loaded = useMemo(() => parseMessages(query.data?.messages ?? []), [query.data]);
  const run = useChats((state) => state.runs[chat] ?? null);
  const failure = useChats((state) => state.failures[chat] ?? null);
  const emptied = useChats((state) => state.emptied[chat] ?? false);
  const thread = useMemo(() => threadOf(loaded, run), [loaded, run]);
  const [cut] = useState(chunker);
  const chunks = useMemo(() => cut(thread), [cut, thread]);
  const actions = useMessageActions(source, session);
  const { scroller, content, away, onScroll, jump } = useStickToEnd(
    run?.startedAt ?? 0,
    query.data?.messages[0]?.id ?? null,
  );
  const going = isGoing(run);

  // An answer that somebody else is having written here: another tab, a program.
  const last = loaded.at(-1);
  const stray = last?.partial && last.runId !== run?.jobId ? last.runId : null;
  useEffect(() => {
    const control = new AbortController();
    attach(source, session, stray, control.signal).catch(() => {
      // The list below says so when the server cannot be asked.
    });
    return () => control.abort();
  }, [source, session, stray]);

  const turn = lastTurn(thread);
  const replaced = run?.replaces?.ids.join(" ") ?? "";
  const live = going && run ? idsOfRun(thread, run).join(" ") : "";
  const question = going ? "" : (turn?.question.id ?? "");
  const answer = going || !ends.input ? "" : (turn?.answers.at(-1)?.id ?? "");
  const places = useMemo((): Places => {
    const map: Places = new Map();
    if (question) map.set(question, "question");
    if (answer) map.set(answer, "answer");
    for (const id of replaced ? replaced.split(" ") : []) map.set(id, "leaving");
    for (const id of live ? live.split(" ") : []) map.set(id, "live");
    return map;
  }, [question, answer, replaced, live]);

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
          {emptied ? <EmptiedNotice /> : null}
          {query.data && empty ? (
            <EmptyState icon={<MessagesSquare />} title={t("playground.emptyTitle")}>
              {ends.input ? t("playground.empty") : t("playground.emptyNoInput")}
            </EmptyState>
          ) : null}
          {query.data?.more ? (
            <EarlierMessages source={source} session={session} scroller={scroller} />
          ) : null}
          {chunks.map((chunk) => (
            <MessageChunk
              key={chunk.id}
              chunk={chunk}
              places={chunk.messages.some((message) => places.has(message.id)) ? places : nowhere}
              actions={actions}
            />
          ))}
          {run?.pending ? <PendingMessage text={run.pending.text} files={run.pending.files} /> : null}
          <RunStatus
            source={source}
            session={session}
            run={run}
            problems={problems}
            answered={thread.at(-1)?.fromPerson === false}
            answerless={!ends.output}
            onAgain={turn && ends.input && !failure ? actions.again : null}
          />
          {failure ? (
            <ErrorNotice error={failure} onRetry={() => retry(source, session, ends, actions.again)} />
          ) : null}
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

/** Messages that may still change; they are among the last ones. */
function idsOfRun(thread: ChatMessage[], run: ChatRun): string[] {
  const told = new Set(run.messages.map((message) => message.id));
  return thread
    .slice(-50)
    .flatMap((message) => (told.has(message.id) || message.runId === run.jobId ? [message.id] : []));
}

/** Said where it happened: the conversation is not what it was. */
function EmptiedNotice() {
  const { t } = useTranslation();
  return (
    <div role="alert" className="flex gap-2.5 rounded-lg border border-warn/50 bg-warn-soft p-3 text-sm">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
      <div>
        <p className="font-medium">{t("playground.emptiedTitle")}</p>
        <p className="text-muted">{t("playground.emptied")}</p>
      </div>
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
