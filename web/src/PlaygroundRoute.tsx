import "./i18n/englishOfFlows";
import { useParams } from "@tanstack/react-router";
import PlaygroundPage from "./features/playground/PlaygroundPage";

export default function PlaygroundRoute() {
  const { flowId } = useParams({ from: "/app/flow/$flowId/playground" });
  return <PlaygroundPage key={flowId} flowId={flowId} />;
}
