import "./i18n/englishOfFlows";
import { useNavigate, useParams } from "@tanstack/react-router";
import RunsPage from "./features/monitor/RunsPage";
import { placeOf, setPlace } from "./features/playground/chatStore";

export default function RunsRoute() {
  const { flowId } = useParams({ from: "/app/flow/$flowId/runs" });
  const navigate = useNavigate();
  const openSession = (session: string): void => {
    const keeper = { kept: "server", flowId };
    setPlace(keeper, { ...placeOf(keeper), session });
    void navigate({ to: "/flow/$flowId/playground", params: { flowId } });
  };
  return <RunsPage key={flowId} flowId={flowId} onSession={openSession} />;
}
