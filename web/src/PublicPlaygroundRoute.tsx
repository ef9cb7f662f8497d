import "./i18n/englishOfFlows";
import { useParams } from "@tanstack/react-router";
import PublicPlaygroundPage from "./features/playground/PublicPlaygroundPage";

export default function PublicPlaygroundRoute() {
  const { flowId } = useParams({ from: "/playground/$flowId" });
  return <PublicPlaygroundPage key={flowId} flowId={flowId} />;
}
