import { useState } from "react";
import type { TaggedFlow } from "@/api/flows";
import { EditingWorkspace } from "./EditingWorkspace";
import type { FlowParts } from "./parts";
import { useEditorSession } from "./useEditorSession";
import { useFlowWrites } from "./useFlowWrites";
import { ViewingWorkspace } from "./ViewingWorkspace";
import { DRAFT, type Panel, type Shown } from "./views";

/** The page of one flow: its draft to work on, or one of its versions to look at. */
export function FlowWorkspace({ tagged, parts }: { tagged: TaggedFlow; parts: FlowParts }) {
  const session = useEditorSession(tagged);
  const writes = useFlowWrites(tagged);
  const [shown, setShown] = useState<Shown>(DRAFT);
  // Back from a version, the list it was chosen from is open.
  const [start, setStart] = useState<Panel | null>(null);
  const show = (next: Shown): void => {
    setShown(next);
    setStart("versions");
  };
  const leave = (): void => {
    setShown(DRAFT);
    setStart(null);
  };
  if (shown.kind !== "draft")
    return <ViewingWorkspace flow={tagged.flow} editor={session.editor} writes={writes} shown={shown} onShow={show} onLeave={leave} />;
  return (
    <EditingWorkspace flow={tagged.flow} session={session} writes={writes} parts={parts} start={start} onShow={show} />
  );
}
