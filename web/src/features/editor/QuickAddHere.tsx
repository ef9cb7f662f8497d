import { useMemo } from "react";
import type { Loose } from "@/canvas/EditorCanvas";
import { type Candidate, componentsAfter, componentsBefore } from "@/flow/edit/fit";
import type { Point } from "@/flow/model";
import type { Anywhere } from "@/stores/editor/boxes";
import { addComponent, replaceNode } from "@/stores/editor/commands";
import type { Editor } from "@/stores/editor/state";
import { QuickAdd } from "./palette/QuickAdd";

/** A component is about to be chosen: for the empty canvas, for a loose wire, or in the place of a node. */
export type Adding = { screen: Point; at: Point | Anywhere } & (
  | { kind: "new" }
  | { kind: "wire"; loose: Loose }
  | { kind: "replace"; node: string }
);

export function QuickAddHere({
  editor,
  adding,
  onDone,
}: {
  editor: Editor;
  adding: Adding;
  onDone: (added: string | null) => void;
}) {
  const { registry } = editor.getState();
  const candidates = useMemo(() => (adding.kind === "wire" ? candidatesFor(editor, adding.loose) : null), [editor, adding]);
  const types = adding.kind === "wire" ? typesOf(editor, adding.loose) : [];
  return (
    <QuickAdd
      registry={registry}
      at={adding.screen}
      fits={candidates === null ? null : (component) => candidates.has(component.type)}
      types={types}
      onClose={() => onDone(null)}
      onPick={(type) => {
        if (adding.kind === "replace") {
          replaceNode(editor, adding.node, type);
          onDone(null);
          return;
        }
        const port = candidates?.get(type);
        if (adding.kind === "wire" && port !== undefined) {
          const { node, port: own, side } = adding.loose;
          onDone(addComponent(editor, type, adding.at, { from: { node, port: own }, side, port }));
        } else onDone(addComponent(editor, type, adding.at));
      }}
    />
  );
}

function candidatesFor(editor: Editor, { node, port, side }: Loose): Map<string, string> {
  const { document, registry } = editor.getState();
  const found: Candidate[] =
    side === "out"
      ? componentsAfter(document, registry, { node, output: port })
      : componentsBefore(document, registry, { node, input: port });
  return new Map(found.map((candidate) => [candidate.component.type, candidate.port]));
}

function typesOf(editor: Editor, { node, port, side }: Loose): string[] {
  const ports = editor.getState().flow.byId.get(node)?.ports ?? [];
  return ports.find((one) => one.side === side && one.name === port)?.types ?? [];
}
