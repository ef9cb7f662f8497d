import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { MessageRead } from "@/api/types";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";
import { chatOf, draftOf, placeKey, placeOf, setDraft, setEmptied, setPlace, useChats } from "./chatStore";
import { forgetRun } from "./runner";
import { chatKeys, type ChatSource, type LoadedMessages, sessionsQuery, wholeSession } from "./source";

/** Sessions with more messages than this go for good: putting them back would take too long. */
export const mostUndone = 500;

export interface Sessions {
  /** The default one first, then those nothing was said in yet, then the others, last used first. */
  names: string[];
  current: string;
  error: unknown;
  choose: (session: string) => void;
  create: (nameFor: (n: number) => string) => void;
  rename: (session: string, name: string) => Promise<void>;
  /** Empties the default session; the others are gone. What is small enough can be put back. */
  remove: (names: string[]) => Promise<void>;
}

/** The conversations with a flow. The one that has the flow's id is always there. */
export function useSessions(source: ChatSource): Sessions {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const query = useQuery(sessionsQuery(source));
  const place = useChats((state) => state.places[placeKey(source)]) ?? placeOf(source);
  const stored = query.data;
  const { session, fresh } = place;
  const first = source.flowId;
  const names = useMemo(() => {
    const list = [first, ...fresh, ...(stored ?? [])];
    // The open one stays in the list even when it was deleted elsewhere.
    return [...new Set(list.includes(session) ? list : [...list, session])];
  }, [first, stored, fresh, session]);

  const choose = useCallback(
    (wanted: string) => setPlace(source, { ...placeOf(source), session: wanted }),
    [source],
  );
  const refresh = () => queries.invalidateQueries({ queryKey: chatKeys.flow(source) });

  const putBack = async (messages: MessageRead[]): Promise<void> => {
    try {
      await source.edits?.restore(messages);
      await refresh();
    } catch (error) {
      toastError(error);
    }
  };

  return {
    names,
    current: session,
    error: query.error,
    choose,
    create: (nameFor) => {
      let n = 1;
      while (names.includes(nameFor(n))) n += 1;
      setPlace(source, { session: nameFor(n), fresh: [nameFor(n), ...fresh] });
    },
    rename: async (from, to) => {
      if (stored?.includes(from)) await source.renameSession(from, to);
      const now = placeOf(source);
      setDraft(chatOf(source, to), draftOf(chatOf(source, from)));
      setDraft(chatOf(source, from), "");
      forgetRun(chatOf(source, from));
      setPlace(source, {
        session: now.session === from ? to : now.session,
        fresh: now.fresh.map((name) => (name === from ? to : name)),
      });
      queries.removeQueries({ queryKey: chatKeys.list(source, from) });
      await refresh();
    },
    remove: async (gone) => {
      const kept = gone.filter((name) => stored?.includes(name));
      const lists = source.edits ? await Promise.all(kept.map((name) => wholeSession(source, name, mostUndone))) : [];
      if (kept.length > 0) await source.removeSessions(kept);
      for (const name of gone) {
        forgetRun(chatOf(source, name));
        setEmptied(chatOf(source, name), false);
        queries.setQueryData<LoadedMessages>(chatKeys.list(source, name), { messages: [], more: false });
      }
      const now = placeOf(source);
      setPlace(source, {
        session: gone.includes(now.session) ? first : now.session,
        fresh: now.fresh.filter((name) => !gone.includes(name)),
      });
      await refresh();
      const whole = lists.flatMap((list) => list ?? []);
      if (whole.length === 0) return;
      showToast({
        message: t("playground.session.deleted", { count: gone.length }),
        action: { label: t("common.undo"), run: () => void putBack(whole) },
      });
    },
  };
}
