import { useEffect, useEffectEvent, useMemo } from "react";
import type { FlowRead } from "@/api/types";
import { chatEnds } from "@/flow/chatEnds";
import { Chat } from "./Chat";
import { chatOf, useChats } from "./chatStore";
import { isGoing } from "./runner";
import { serverSource } from "./serverSource";
import { SessionBar } from "./SessionPicker";
import { useSessions } from "./useSessions";

/** The playground beside the canvas. `onRun` hears of every run that goes on in the open conversation. */
export default function PlaygroundPanel({ flow, onRun }: { flow: FlowRead; onRun?: (runId: string) => void }) {
  const source = serverSource(flow.id);
  const sessions = useSessions(source);
  const ends = useMemo(() => chatEnds(flow.data), [flow.data]);
  const running = useChats((state) => {
    const run = state.runs[chatOf(source, sessions.current)] ?? null;
    return isGoing(run) ? (run?.jobId ?? null) : null;
  });
  const tell = useEffectEvent((runId: string) => onRun?.(runId));
  useEffect(() => {
    if (running !== null) tell(running);
  }, [running]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <SessionBar source={source} sessions={sessions} />
      <Chat source={source} session={sessions.current} ends={ends} />
    </div>
  );
}
