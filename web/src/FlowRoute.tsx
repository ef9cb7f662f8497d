import "./i18n/englishOfFlows";
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { FlowRead } from "./api/types";
import FlowPage from "./features/editor/FlowPage";
import { PageSkeleton } from "./features/shell/PageSkeleton";

const PlaygroundPanel = lazy(() => import("./features/playground/PlaygroundPanel"));

function playgroundOf(flow: FlowRead) {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <PlaygroundPanel flow={flow} />
    </Suspense>
  );
}

export default function FlowRoute() {
  const { flowId } = useParams({ from: "/app/flow/$flowId" });
  return (
    <FlowPage
      key={flowId}
      flowId={flowId}
      playground={playgroundOf}
    />
  );
}
