import type { ComponentType, RefObject } from "react";
import type { FlowPatch } from "@/api/flows";
import type { FlowRead } from "@/api/types";
import type { EditorCanvasHandle } from "@/canvas/EditorCanvas";
import type { Editor } from "@/stores/editor/state";

/** What the assistant is opened for: to build what somebody described, or to talk about a node. */
export type AssistantWish = { kind: "describe"; text: string } | { kind: "mention"; node: string };

/** Parts of the page that belong to other features; the route brings them together. */
export interface FlowParts {
  Playground: ComponentType<{ flow: FlowRead }>;
  Output: ComponentType<{ flowId: string; nodeId: string; onNode: (id: string) => void }>;
  Runs: ComponentType<{
    flowId: string;
    onNode: (id: string) => void;
    /** A conversation was chosen; the playground is to be shown. */
    onPlayground: () => void;
  }>;
  /** Stands over the canvas; what it does goes on while it is closed. */
  Assistant: ComponentType<{
    flow: FlowRead;
    editor: Editor;
    canvas: RefObject<EditorCanvasHandle | null>;
    /** Changes made elsewhere came in while it saved. */
    onMerged: (count: number) => void;
    open: boolean;
    wish: AssistantWish | null;
    /** The wish was taken note of. */
    onWish: () => void;
    onClose: () => void;
  }>;
  Share: ComponentType<{
    flow: FlowRead;
    document: unknown;
    save: (patch: FlowPatch) => Promise<boolean>;
    flush: () => Promise<unknown>;
  }>;
}
