import {
  Background,
  BackgroundVariant,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  useStore,
  useStoreApi,
} from "@xyflow/react";
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { flowLayouts } from "@/flow/card";
import { backLanes } from "@/flow/lanes";
import type { Flow, Wire } from "@/flow/model";
import { tabOrder } from "@/flow/outline";
import "./canvas.css";
import { CanvasContext, createCanvasStore, hoverNode, selectNodes } from "./canvasStore";
import { CanvasTools } from "./CanvasTools";
import { ComponentCard } from "./cards/ComponentCard";
import { NoteCard } from "./cards/NoteCard";
import { UnknownCard, WorkflowCard } from "./cards/SlimCards";
import { type CardNode, type Marks, toEdges, toNodes, type WireEdge } from "./elements";
import { PortTip } from "./PortTip";
import { useCanvasKeys } from "./useCanvasKeys";
import { useView, type View } from "./useView";
import { ArrowHead, WireLine } from "./WireLine";
import { ZOOM } from "./zoom";

const nodeTypes = { component: ComponentCard, note: NoteCard, workflow: WorkflowCard, unknown: UnknownCard };
const edgeTypes = { wire: WireLine };

/** On a narrower canvas the map would lie over the tools. */
const MAP_FROM = 680;
const MAP_SIZE = { width: 168, height: 118 };

export interface CanvasHandle {
  fit: () => void;
  /** Brings a node into view and, if asked, puts the focus on it. */
  show: (id: string, focus?: boolean) => void;
}

export interface FlowCanvasProps {
  flow: Flow;
  /** Names what is drawn; when it changes, everything is brought into view again. */
  drawing: string;
  marks?: Marks | null;
  selected: string | null;
  /** The keyboard moved to a node, or let go of it. */
  onSelect: (id: string | null) => void;
  /** A card or the empty canvas was pressed. */
  onPick: (id: string | null) => void;
  onOpen: (id: string) => void;
  onEscape: () => void;
  minimap: boolean;
  onMinimap: (shown: boolean) => void;
  label: string;
  ref?: Ref<CanvasHandle>;
}

/** Draws a flow, read only: look around, select, follow wires. */
export function FlowCanvas(props: FlowCanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing({
  flow,
  drawing,
  marks = null,
  selected,
  onSelect,
  onPick,
  onOpen,
  onEscape,
  minimap,
  onMinimap,
  label,
  ref,
}: FlowCanvasProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const [store] = useState(createCanvasStore);
  const layouts = useMemo(() => flowLayouts(flow), [flow]);
  const order = useMemo(() => tabOrder(flow), [flow]);
  const nodes = useMemo(() => toNodes(flow, layouts, marks), [flow, layouts, marks]);
  const edges = useMemo(() => {
    const label = (wire: Wire): string => t("flow.wire.label", wireEnds(flow, wire));
    return toEdges(flow, marks, backLanes(flow, layouts), { kind: t("flow.wire.kind"), label });
  }, [flow, layouts, marks, t]);
  const roomy = useStore((state) => state.width >= MAP_FROM);
  const view = useView(root, flow, layouts, store);
  useCanvasKeys({ root, flow, order, store, view, onSelect, onOpen, onEscape });

  useEffect(() => {
    selectNodes(store, flow, new Set(selected === null ? [] : [selected]));
    const { current } = store.getState();
    if (current === null || !flow.byId.has(current))
      store.setState({ current: selected ?? order[0] ?? null });
  }, [store, flow, selected, order]);

  useFitOnChange(drawing, view);
  useImperativeHandle(ref, () => ({ fit: view.fit, show: view.show }), [view]);

  return (
    <CanvasContext value={store}>
      <div ref={root} className="relative size-full">
        <ReactFlow<CardNode, WireEdge>
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          className="ff-canvas"
          tabIndex={0}
          aria-label={label}
          aria-describedby="ff-canvas-help"
          minZoom={ZOOM.min}
          maxZoom={ZOOM.max}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          onlyRenderVisibleElements
          disableKeyboardA11y
          zoomOnDoubleClick={false}
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          onMove={view.onMove}
          onMoveEnd={view.onMoveEnd}
          onNodeClick={(_, node) => onPick(node.id)}
          onNodeDoubleClick={(_, node) => onOpen(node.id)}
          onNodeMouseEnter={(_, node) => hoverNode(store, flow, node.id)}
          onNodeMouseLeave={() => hoverNode(store, flow, null)}
          onPaneClick={() => onPick(null)}
          attributionPosition="bottom-left"
        >
          <Background variant={BackgroundVariant.Dots} gap={20} size={1.5} />
          {minimap && roomy && flow.nodes.length > 0 ? (
            <MiniMap<CardNode>
              pannable
              zoomable
              position="bottom-right"
              style={MAP_SIZE}
              ariaLabel={t("flow.canvas.minimap")}
              nodeClassName={(node) =>
                node.id === selected
                  ? "ff-minimap-selected"
                  : node.type === "note"
                    ? "ff-minimap-note"
                    : "ff-minimap-node"
              }
            />
          ) : null}
        </ReactFlow>
        <ArrowHead />
        <p id="ff-canvas-help" className="sr-only">
          {t("flow.canvas.help")}
        </p>
        <CanvasTools view={view} minimap={minimap} onMinimap={onMinimap} />
        <PortTip root={root} />
      </div>
    </CanvasContext>
  );
}

export function wireEnds(flow: Flow, wire: Wire): Record<"from" | "to", string> {
  return { from: flow.byId.get(wire.source)?.title ?? "", to: flow.byId.get(wire.target)?.title ?? "" };
}

export function useFitOnChange(drawing: string, view: View): void {
  const api = useStoreApi();
  const done = useRef<{ drawing: string; panZoom: unknown; width: number; height: number } | null>(null);
  useEffect(() => {
    const attempt = (): void => {
      const { width, height, panZoom } = api.getState();
      // In its first moment the canvas has no size and cannot be moved.
      if (width === 0 || height === 0 || !panZoom) return;
      const last = done.current;
      done.current = { drawing, panZoom, width, height };
      if (last?.drawing !== drawing || last.panZoom !== panZoom) view.fit(false);
      else if (last.width !== width || last.height !== height) view.refit();
    };
    attempt();
    return api.subscribe(attempt);
  }, [api, drawing, view]);
}
