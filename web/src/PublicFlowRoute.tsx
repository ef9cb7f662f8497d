import "./i18n/englishOfFlows";
import { useParams } from "@tanstack/react-router";
import PublicFlowPage from "./features/editor/PublicFlowPage";

export default function PublicFlowRoute() {
  const { flowId } = useParams({ from: "/public/$flowId" });
  return <PublicFlowPage key={flowId} flowId={flowId} />;
}
