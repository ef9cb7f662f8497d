import { useParams } from "@tanstack/react-router";
import PublicFlowPage from "./features/preview/PublicFlowPage";

export default function PublicFlowRoute() {
  const { flowId } = useParams({ from: "/public/$flowId" });
  return <PublicFlowPage key={flowId} flowId={flowId} />;
}
