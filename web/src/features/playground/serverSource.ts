import {
  changeMessage,
  deleteMessages,
  deleteSessions,
  listMessages,
  listSessions,
  renameSession,
  restoreMessage,
} from "@/api/messages";
import type { MessageRead } from "@/api/types";
import { answerQuestion, getRun, newestRun, readEvents, startWorkflow, stopWorkflow } from "@/api/workflows";
import { savedAsShown } from "@/stores/editor/open";
import type { ChatSource, RunStream } from "./source";

const sources = new Map<string, ChatSource>();

/** One's own flow: the server keeps the conversations, and runs go on without the page. */
export function serverSource(flowId: string): ChatSource {
  const known = sources.get(flowId) ?? make(flowId);
  sources.set(flowId, known);
  return known;
}

function make(flowId: string): ChatSource {
  const stream = (jobId: string): RunStream => ({
    jobId,
    read: (after, onEvents, signal) => readEvents(jobId, after, onEvents, signal),
  });
  return {
    flowId,
    kept: "server",
    sessions: (signal) => listSessions(flowId, signal),
    page: (session, slice, signal) => listMessages(flowId, session, slice, signal),
    change: changeMessage,
    edits: {
      remove: (messages) => deleteMessages(messages.flatMap(({ id }) => id ?? [])),
      restore: restoreAll,
    },
    renameSession: (from, to) => renameSession(flowId, from, to),
    removeSessions: (names) => deleteSessions(flowId, names),
    keep: null,
    takesFiles: true,
    start: async (start) => {
      // Unsaved changes that cannot be saved stay on the canvas, and the answer says what the saved flow says.
      await savedAsShown(flowId);
      return stream(await startWorkflow({ flowId, ...start }));
    },
    answer: answerQuestion,
    runs: {
      newest: (session, signal) => newestRun(flowId, session, signal),
      find: getRun,
      stream,
      stop: stopWorkflow,
    },
  };
}

/** A few at a time: a whole session may come back. */
async function restoreAll(messages: MessageRead[]): Promise<void> {
  const waiting = [...messages];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await restoreMessage(next);
  };
  await Promise.all(Array.from({ length: 6 }, work));
}
