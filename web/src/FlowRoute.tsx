import { useParams } from "@tanstack/react-router";
import FlowPage from "./features/preview/FlowPage";

export default function FlowRoute() {
  const { flowId } = useParams({ from: "/app/flow/$flowId" });
  return <FlowPage key={flowId} flowId={flowId} />;
}
