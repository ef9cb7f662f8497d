import { createContext, use } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import type { FlowRead } from "@/api/types";
import type { CardLayout } from "@/flow/card";
import { randomId } from "@/flow/edit/apply";
import { openDocument, type FlowDocument } from "@/flow/edit/document";
import { type Entry, type History, NO_HISTORY } from "@/flow/edit/history";
import type { MergeConflict } from "@/flow/edit/merge";
import type { Patch } from "@/flow/edit/patch";
import { NO_COMPONENTS, type Registry } from "@/flow/edit/registry";
import { keepSame, keptLayouts } from "@/flow/keepSame";
import { backLanes } from "@/flow/lanes";
import type { Flow } from "@/flow/model";
import { tabOrder } from "@/flow/outline";
import { parseFlow } from "@/flow/parse";

/** One change that the server does not have yet. */
export interface Step {
  op: Entry["op"];
  patch: Patch;
}

/** What came from elsewhere while there were changes here that do not go on top of it. */
export interface EditConflict {
  theirs: FlowRead;
  /** Theirs with the changes that fit. */
  merged: FlowDocument;
  steps: Step[];
  conflicts: MergeConflict<Step>[];
}

export type Saving =
  | { kind: "saved"; at: number }
  | { kind: "waiting" }
  | { kind: "saving" }
  /** Not reachable, or an error; tried again on its own. */
  | { kind: "failed"; error: unknown }
  | { kind: "conflict"; conflict: EditConflict };

export interface EditorState {
  readonly flowId: string;
  document: FlowDocument;
  flow: Flow;
  layouts: ReadonlyMap<string, CardLayout>;
  /** Heights of wires that lead back. */
  lanes: ReadonlyMap<string, number>;
  /** The order in which Tab walks the nodes. */
  order: readonly string[];
  history: History;
  /** What the server has, and under which revision. */
  base: { document: FlowDocument; revision: number };
  /** Changes since `base`. */
  steps: readonly Step[];
  /** How many of them are on their way to the server, and so no longer added to. */
  sealed: number;
  saving: Saving;
  selection: ReadonlySet<string>;
  /** The chosen wire. */
  wire: string | null;
  /** Cards that show all their fields. */
  open: ReadonlySet<string>;
  /** Nodes that the server is working out again, because one of their fields was set. */
  refreshing: ReadonlySet<string>;
  /** Nobody may change the flow: it is locked, or cannot be read as one. */
  locked: boolean;
  /** Why the document cannot be edited, if so. */
  unreadable: string | null;
  registry: Registry;
  /** Counts what came from elsewhere: fields that are being typed into take it over then. */
  remote: number;
}

export type Editor = StoreApi<EditorState>;

export const NONE: ReadonlySet<string> = new Set();

export function createEditor(flow: FlowRead): Editor {
  const opened = openDocument(flow.data ?? {});
  const document = opened.ok ? opened.document : {};
  const parsed = parseFlow(opened.ok ? document : (flow.data ?? {}));
  const layouts = keptLayouts(null, parsed);
  return createStore<EditorState>(() => ({
    flowId: flow.id,
    document,
    flow: parsed,
    layouts,
    lanes: backLanes(parsed, layouts),
    order: tabOrder(parsed),
    history: NO_HISTORY,
    base: { document, revision: flow.revision },
    steps: [],
    sealed: 0,
    saving: { kind: "saved", at: Date.parse(flow.updated_at) || Date.now() },
    selection: NONE,
    wire: null,
    open: NONE,
    refreshing: NONE,
    locked: flow.locked === true || !opened.ok,
    unreadable: opened.ok ? null : opened.reason,
    registry: NO_COMPONENTS,
    remote: 0,
  }));
}

/** What follows from another document: the drawing, and a selection without what is gone. */
export function drawn(state: EditorState, document: FlowDocument, open = state.open): Partial<EditorState> {
  const flow = keepSame(state.flow, parseFlow(document, open));
  const layouts = keptLayouts(state, flow);
  const gone = [...state.selection].some((id) => !flow.byId.has(id));
  const wireGone = state.wire !== null && !flow.wires.some((wire) => wire.id === state.wire);
  return {
    document,
    flow,
    open,
    layouts,
    ...(sameGround(state, flow, layouts)
      ? {}
      : { lanes: backLanes(flow, layouts), order: tabOrder(flow) }),
    ...(gone ? { selection: new Set([...state.selection].filter((id) => flow.byId.has(id))) } : {}),
    ...(wireGone ? { wire: null } : {}),
  };
}

/** Whether every card and wire is where it was. */
function sameGround(before: EditorState, flow: Flow, layouts: EditorState["layouts"]): boolean {
  if (before.flow.wires !== flow.wires || before.flow.nodes.length !== flow.nodes.length) return false;
  return flow.nodes.every((node) => {
    const known = before.flow.byId.get(node.id);
    if (known === node && before.layouts.get(node.id) === layouts.get(node.id)) return true;
    const [old, now] = [before.layouts.get(node.id)?.size, layouts.get(node.id)?.size];
    return (
      known?.position.x === node.position.x &&
      known.position.y === node.position.y &&
      old?.width === now?.width &&
      old?.height === now?.height
    );
  });
}

export function contextOf(state: EditorState): { registry: Registry; ids: () => string } {
  return { registry: state.registry, ids: randomId };
}

export const EditorContext = createContext<Editor | null>(null);

/** The editor around, if what is drawn can be edited. */
export function useEditorOrNull(): Editor | null {
  return use(EditorContext);
}

export function useEditorStore(): Editor {
  const editor = use(EditorContext);
  if (!editor) throw new Error("this part is used outside of an editor");
  return editor;
}

export function useEditor<T>(select: (state: EditorState) => T): T {
  return useStore(useEditorStore(), select);
}
