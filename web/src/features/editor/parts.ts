import type { ComponentType } from "react";
import type { FlowPatch } from "@/api/flows";
import type { FlowRead } from "@/api/types";

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
  Share: ComponentType<{
    flow: FlowRead;
    document: unknown;
    save: (patch: FlowPatch) => Promise<boolean>;
    flush: () => Promise<unknown>;
  }>;
}
