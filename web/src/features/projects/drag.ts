import type { FlowHeader } from "@/api/types";

const kind = "application/x-ferroflow-flows";

// The browser hides a drag's contents until the drop; within one page this is simpler and typed.
let dragging: readonly FlowHeader[] = [];

export function dragFlows(transfer: DataTransfer, flows: readonly FlowHeader[]): void {
  dragging = flows;
  transfer.effectAllowed = "move";
  transfer.setData(kind, flows.map((flow) => flow.id).join(","));
  transfer.setData("text/plain", flows.map((flow) => flow.name).join("\n"));
}

export function carriesFlows(transfer: DataTransfer): boolean {
  return transfer.types.includes(kind);
}

export function droppedFlows(): readonly FlowHeader[] {
  return dragging;
}
