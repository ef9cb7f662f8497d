import { useParams } from "@tanstack/react-router";

const pages = import.meta.glob<{ default: React.ComponentType<{ flowId: string }> }>(
  "./features/preview/FlowPage.tsx",
  { eager: true },
);

export default function FlowRoute() {
  const { flowId } = useParams({ from: "/app/flow/$flowId" });
  const FlowPage = Object.values(pages)[0]?.default;
  return FlowPage ? <FlowPage key={flowId} flowId={flowId} /> : null;
}
