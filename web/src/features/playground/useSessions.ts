import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { deleteSession, messageKeys, renameSession, sessionsQuery } from "@/api/messages";
import { chatOf, placeOf, setDraft, setPlace, useChats } from "./chatStore";
import { forgetRun } from "./runner";

export interface Sessions {
  /** The default one first, then those nothing was said in yet, then the others, last used first. */
  names: string[];
  current: string;
  error: unknown;
  choose: (session: string) => void;
  create: (nameFor: (n: number) => string) => void;
  rename: (session: string, name: string) => Promise<void>;
  /** Empties the default session; any other is gone. */
  remove: (session: string) => Promise<void>;
}

/** The conversations of a flow. The one that has the flow's id is always there. */
export function useSessions(flowId: string): Sessions {
  const queries = useQueryClient();
  const query = useQuery(sessionsQuery(flowId));
  const place = useChats((state) => state.places[flowId]) ?? placeOf(flowId);
  const stored = query.data;
  const { session, fresh } = place;
  const names = useMemo(() => {
    const list = [flowId, ...fresh, ...(stored ?? [])];
    // The open one stays in the list even when it was deleted elsewhere.
    return [...new Set(list.includes(session) ? list : [...list, session])];
  }, [flowId, stored, fresh, session]);

  const choose = useCallback(
    (wanted: string) => setPlace(flowId, { ...placeOf(flowId), session: wanted }),
    [flowId],
  );

  return {
    names,
    current: session,
    error: query.error,
    choose,
    create: (nameFor) => {
      let n = 1;
      while (names.includes(nameFor(n))) n += 1;
      setPlace(flowId, { session: nameFor(n), fresh: [nameFor(n), ...fresh] });
    },
    rename: async (from, to) => {
      if (stored?.includes(from)) await renameSession(flowId, from, to);
      const now = placeOf(flowId);
      setDraft(chatOf(flowId, to), useChats.getState().drafts[chatOf(flowId, from)] ?? "");
      setDraft(chatOf(flowId, from), "");
      forgetRun(chatOf(flowId, from));
      setPlace(flowId, {
        session: now.session === from ? to : now.session,
        fresh: now.fresh.map((name) => (name === from ? to : name)),
      });
      queries.removeQueries({ queryKey: messageKeys.list(flowId, from) });
      await queries.invalidateQueries({ queryKey: messageKeys.flow(flowId) });
    },
    remove: async (name) => {
      if (stored?.includes(name)) await deleteSession(flowId, name);
      forgetRun(chatOf(flowId, name));
      const now = placeOf(flowId);
      setPlace(flowId, {
        session: now.session === name ? flowId : now.session,
        fresh: now.fresh.filter((other) => other !== name),
      });
      queries.setQueryData(messageKeys.list(flowId, name), []);
      await queries.invalidateQueries({ queryKey: messageKeys.flow(flowId) });
    },
  };
}
