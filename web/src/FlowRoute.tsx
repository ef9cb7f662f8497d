import "./i18n/englishOfFlows";
import { useParams } from "@tanstack/react-router";
import { part } from "@/lib/part";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import FlowPage from "./features/editor/FlowPage";
import type { FlowParts } from "./features/editor/parts";
import ShareMenu from "./features/share/ShareMenu";
import { PageSkeleton } from "./features/shell/PageSkeleton";
import { placeOf, setPlace } from "./features/playground/chatStore";
import { followRun, showRun } from "./stores/run";
import { toastError } from "./ui/toastError";

const PlaygroundPanel = lazy(() => part(() => import("./features/playground/PlaygroundPanel")));
const OutputView = lazy(() => part(() => import("./features/monitor/OutputView")));
const RunsPanel = lazy(() => part(() => import("./features/monitor/RunsPanel")));
let assistant: typeof import("./features/assistant/AssistantPanel") | null = null;
const loadAssistant = async () => (assistant = await part(() => import("./features/assistant/AssistantPanel")));
const LazyAssistant = lazy(loadAssistant);

function Waiting({ children }: { children: ReactNode }) {
  return <Suspense fallback={<PageSkeleton />}>{children}</Suspense>;
}

const parts: FlowParts = {
  Playground: ({ flow }) => (
    <Waiting>
      <PlaygroundPanel flow={flow} onRun={(runId) => void followRun(flow.id, runId)} />
    </Waiting>
  ),
  Output: (props) => (
    <Waiting>
      <OutputView {...props} />
    </Waiting>
  ),
  Runs: ({ flowId, onNode, onPlayground }) => (
    <Waiting>
      <RunsPanel
        flowId={flowId}
        onNode={onNode}
        onShowRun={(runId) => void showRun(flowId, runId).catch(toastError)}
        onSession={(session) => {
          const keeper = { kept: "server", flowId };
          setPlace(keeper, { ...placeOf(keeper), session });
          onPlayground();
        }}
      />
    </Waiting>
  ),
  Assistant: function Assistant(props) {
    // Where it is there already nobody waits, not even for a moment: the next letters are for it.
    const [Panel] = useState(() => assistant?.default ?? LazyAssistant);
    return (
      <Suspense>
        <Panel {...props} />
      </Suspense>
    );
  },
  Share: ShareMenu,
};

/** Fetched when there is nothing else to do: whoever opens it types on at once. */
function usePreloadedAssistant(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      // Without the server it is fetched again when it is needed.
      loadAssistant().then(({ prepare }) => prepare(), () => {});
    }, 600);
    return () => clearTimeout(timer);
  }, []);
}

export default function FlowRoute() {
  const { flowId } = useParams({ from: "/app/flow/$flowId" });
  usePreloadedAssistant();
  return <FlowPage key={flowId} flowId={flowId} parts={parts} />;
}
