import type { OnConnectStartParams } from "@xyflow/react";
import { fittingInputs, fittingOutputs } from "@/flow/edit/fit";
import type { Refusal } from "@/flow/edit/refusal";
import type { EditorState } from "@/stores/editor/state";
import { portKey, type Pulling } from "./canvasStore";

/** The name in a port's id (`in:name`, `out:name`, `loop:name`). */
export function portName(id: string): string {
  return id.slice(id.indexOf(":") + 1);
}

/** A wire begins at a port: works out, once, where it may end. */
export function beginPull(state: EditorState, start: OnConnectStartParams): Pulling | null {
  if (start.nodeId === null || start.handleId === null) return null;
  const node = start.nodeId;
  const port = portName(start.handleId);
  const side = start.handleType === "source" ? "out" : "in";
  const found =
    side === "out"
      ? fittingInputs(state.document, state.registry, { node, output: port })
      : fittingOutputs(state.document, state.registry, { node, input: port });
  const fits = new Map(found.map((fit) => [portKey(fit.node, fit.port), allowed(fit.refusal)]));
  return { node, port, side, fits };
}

// A wire at an input for one gives way to the new one.
function allowed(refusal: Refusal | null): Refusal | null {
  return refusal?.code === "occupied" ? null : refusal;
}

/** The port of a card that a wire dropped onto the card should take: a free one first, in the order of the fields. */
export function bestPort(state: EditorState, pulling: Pulling, target: string): string | null {
  const node = state.flow.byId.get(target);
  if (!node || target === pulling.node) return null;
  const fitting = [...pulling.fits].flatMap(([key, refusal]) => {
    const [id, port] = key.split("\n");
    return id === target && port !== undefined && refusal === null ? [port] : [];
  });
  const wires = state.flow.wiresOf.get(target) ?? [];
  const taken = new Set(
    wires.filter((wire) => wire.target === target).map((wire) => portName(wire.targetPort)),
  );
  const shown = new Set(node.ports.map((port) => port.name));
  const score = (port: string): number => (taken.has(port) ? 2 : 0) + (shown.has(port) ? 0 : 1);
  return fitting.toSorted((a, b) => score(a) - score(b))[0] ?? null;
}
