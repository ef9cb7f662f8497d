import { useState } from "react";
import { CompareView } from "./CompareView";
import { RunList } from "./RunList";
import { RunView } from "./RunView";

type Place =
  | { kind: "list" }
  | { kind: "run"; runId: string }
  | { kind: "compare"; a: string; b: string };

export interface RunsPanelProps {
  flowId: string;
  /** Shows a node on the canvas. */
  onNode?: ((node: string) => void) | undefined;
  /** Shows how a run went on the cards of the canvas. */
  onShowRun?: ((runId: string) => void) | undefined;
  /** Opens a conversation in the playground. */
  onSession?: ((session: string) => void) | undefined;
  /** The run to begin with; the list where there is none. */
  runId?: string | undefined;
}

/** The runs of a flow: all of them, one of them, or two side by side. */
export default function RunsPanel({ flowId, onNode, onShowRun, onSession, runId }: RunsPanelProps) {
  const [place, setPlace] = useState<Place>(runId ? { kind: "run", runId } : { kind: "list" });
  const toList = (): void => setPlace({ kind: "list" });
  switch (place.kind) {
    case "list":
      return (
        <RunList
          flowId={flowId}
          onRun={(id) => setPlace({ kind: "run", runId: id })}
          onCompare={(a, b) => setPlace({ kind: "compare", a, b })}
        />
      );
    case "run":
      return (
        <RunView
          key={place.runId}
          flowId={flowId}
          runId={place.runId}
          onBack={toList}
          onRun={(id) => setPlace({ kind: "run", runId: id })}
          onCompare={(a, b) => setPlace({ kind: "compare", a, b })}
          onNode={onNode}
          onShowRun={onShowRun}
          onSession={onSession}
        />
      );
    case "compare":
      return (
        <CompareView
          a={place.a}
          b={place.b}
          onBack={toList}
          onRun={(id) => setPlace({ kind: "run", runId: id })}
          onSwap={() => setPlace({ kind: "compare", a: place.b, b: place.a })}
          onNode={onNode}
        />
      );
  }
}
