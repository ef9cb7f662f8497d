import { useMemo } from "react";
import type { FlowRead } from "@/api/types";
import { chatEnds } from "@/flow/chatEnds";
import { Composer } from "./Composer";
import { SessionBar } from "./SessionPicker";
import { Thread } from "./Thread";
import { useSessions } from "./useSessions";

/** The playground beside the canvas. */
export default function PlaygroundPanel({ flow }: { flow: FlowRead }) {
  const sessions = useSessions(flow.id);
  const ends = useMemo(() => chatEnds(flow.data), [flow.data]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <SessionBar flowId={flow.id} sessions={sessions} />
      <Thread key={`read ${sessions.current}`} flowId={flow.id} session={sessions.current} ends={ends} />
      <Composer key={`say ${sessions.current}`} flowId={flow.id} session={sessions.current} ends={ends} />
    </div>
  );
}
