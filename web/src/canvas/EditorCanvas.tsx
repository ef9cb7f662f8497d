import {
  Background,
  BackgroundVariant,
  type Connection,
  type FinalConnectionState,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import { type DragEvent, type ReactNode, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore as useZustand } from "zustand";
import { spoken } from "@/flow/edit/spoken";
import type { Point, Wire } from "@/flow/model";
import { connectPorts, reconnect } from "@/stores/editor/commands";
import { edit, select } from "@/stores/editor/actions";
import { type Editor, EditorContext } from "@/stores/editor/state";
import "./canvas.css";
import "./editing.css";
import { CanvasContext, type CanvasStore, countNodes, createCanvasStore, hoverNode, portKey, selectNodes } from "./canvasStore";
import { CanvasTools } from "./CanvasTools";
import { EditorTools } from "./EditorTools";
import { ComponentCard } from "./cards/ComponentCard";
import { NoteCard } from "./cards/NoteCard";
import { UnknownCard, WorkflowCard } from "./cards/SlimCards";
import { type CardNode, toEdges, toNodes, type WireEdge } from "./elements";
import { useFitOnChange, wireEnds } from "./FlowCanvas";
import { PortTip } from "./PortTip";
import { beginPull, bestPort, portName } from "./pull";
import { PullLine } from "./PullLine";
import { ReviewMount } from "./review/ReviewMount";
import { useCanvasKeys } from "./useCanvasKeys";
import { useDrag } from "./useDrag";
import { useView } from "./useView";
import { ArrowHead, WireLine } from "./WireLine";
import { WireTip } from "./WireTip";
import { ZOOM } from "./zoom";

const nodeTypes = { component: ComponentCard, note: NoteCard, workflow: WorkflowCard, unknown: UnknownCard };
const edgeTypes = { wire: WireLine };
const MAP_FROM = { width: 800, height: 480 };
const MAP_SIZE = { width: 168, height: 118 };
const GRID: [number, number] = [20, 20];
const ADDING_KEYS = ["Shift", "Meta", "Control"];

/** The kind of data a palette entry carries while it is dragged. */
export const DRAGGED_COMPONENT = "application/x-ferroflow-component";

/** What was pressed with the other button, and where on the screen. */
export interface Pressed {
  at: Point;
  node: string | null;
  wire: string | null;
}

/** A wire that was let go over the empty canvas. */
export interface Loose {
  at: Point;
  node: string;
  port: string;
  side: "in" | "out";
}

export interface EditorCanvasHandle {
  fit: () => void;
  show: (id: string, focus?: boolean) => void;
  middle: () => Point;
  toFlow: (screen: Point) => Point;
  toScreen: (place: Point) => Point;
  zoomTo: (zoom: number) => void;
  zoomBy: (direction: 1 | -1) => void;
  toggleCompact: () => void;
  setTool: (tool: "hand" | "pointer") => void;
  /** Opens the text of a note, or the name of a node, for writing. */
  write: (id: string) => void;
}

export interface EditorCanvasProps {
  editor: Editor;
  snap: boolean;
  onSnap: (on: boolean) => void;
  onLock: () => void;
  onArrange: () => void;
  minimap: boolean;
  onMinimap: (shown: boolean) => void;
  onOpen: (id: string) => void;
  onEscape: () => void;
  onPressed: (pressed: Pressed) => void;
  onLoose: (loose: Loose) => void;
  /** A wire cannot end where it was let go. */
  onMisfit: (reason: string) => void;
  onDrop: (type: string, at: Point) => void;
  /** A file from elsewhere, such as an exported flow. */
  onDropFile: (file: File, at: Point) => void;
  onBlank: (at: Point) => void;
  label: string;
  /** Further tools. */
  tools?: ReactNode;
  ref?: Ref<EditorCanvasHandle>;
}

/** A flow that can be changed where it is drawn. */
export function EditorCanvas(props: EditorCanvasProps) {
  return (
    <ReactFlowProvider>
      <Stage {...props} />
    </ReactFlowProvider>
  );
}

function Stage(props: EditorCanvasProps) {
  const { editor, snap, minimap, onMinimap, label, ref } = props;
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const [store] = useState(() => {
    const made = createCanvasStore();
    countNodes(made, editor.getState().flow.nodes.length);
    return made;
  });
  const { screenToFlowPosition, flowToScreenPosition } = useReactFlow();
  const flow = useZustand(editor, (state) => state.flow);
  const layouts = useZustand(editor, (state) => state.layouts);
  const lanes = useZustand(editor, (state) => state.lanes);
  const selection = useZustand(editor, (state) => state.selection);
  const wire = useZustand(editor, (state) => state.wire);
  const locked = useZustand(editor, (state) => state.locked);
  const tool = useZustand(store, (state) => state.tool);
  const compact = useZustand(store, (state) => state.compact);

  const order = useZustand(editor, (state) => state.order);
  const placed = useMemo(() => toNodes(flow, layouts, null, selection), [flow, layouts, selection]);
  const edges = useMemo(() => {
    const words = { kind: t("flow.wire.kind"), label: (one: Wire): string => t("flow.wire.label", wireEnds(flow, one)) };
    return toEdges(flow, null, lanes, words, wire);
  }, [flow, lanes, wire, t]);
  const { nodes, onNodesChange, onStop } = useDrag(editor, placed);
  const roomy = useStore((state) => state.width >= MAP_FROM.width && state.height >= MAP_FROM.height);
  const view = useView(root, flow, layouts, store);
  const keySelect = (id: string | null): void => select(editor, id === null ? [] : [id]);
  useCanvasKeys({ root, flow, order, store, view, onSelect: keySelect, onOpen: props.onOpen, onEscape: props.onEscape });

  useEffect(() => countNodes(store, flow.nodes.length), [store, flow]);
  const { wiresOf, byId } = flow;
  useEffect(() => selectNodes(store, { wiresOf }, selection), [store, wiresOf, selection]);
  useEffect(() => {
    const { current } = store.getState();
    if (current === null || !byId.has(current)) store.setState({ current: order[0] ?? null });
  }, [store, byId, order]);

  useFitOnChange(editor.getState().flowId, view);
  useImperativeHandle(ref, () => {
    const { fit, show, middle, zoomTo, zoomBy, toggleCompact } = view;
    const setTool = (next: "hand" | "pointer"): void => store.setState({ tool: next });
    const write = (id: string): void => store.setState({ writing: id });
    return {
      fit,
      show,
      middle,
      zoomTo,
      zoomBy,
      toggleCompact,
      setTool,
      write,
      toFlow: screenToFlowPosition,
      toScreen: flowToScreenPosition,
    };
  }, [view, store, screenToFlowPosition, flowToScreenPosition]);

  const wires = useWirePulling({ store, ...props });
  const place = (event: { clientX: number; clientY: number }): Point =>
    screenToFlowPosition({ x: event.clientX, y: event.clientY });

  return (
    <EditorContext value={editor}>
      <CanvasContext value={store}>
        <div
          ref={root}
          className="relative size-full"
          data-tool={tool}
          onDragOver={(event) => {
            const { types } = event.dataTransfer;
            if (!locked && (types.includes(DRAGGED_COMPONENT) || types.includes("Files"))) {
              event.preventDefault();
              event.dataTransfer.dropEffect = "copy";
            }
          }}
          onDrop={(event: DragEvent) => {
            const type = event.dataTransfer.getData(DRAGGED_COMPONENT);
            const [file] = event.dataTransfer.files;
            if (locked || (type === "" && !file)) return;
            event.preventDefault();
            const at = place(event);
            if (type !== "") props.onDrop(type, at);
            else if (file) props.onDropFile(file, at);
          }}
        >
          <ReactFlow<CardNode, WireEdge>
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            className="ff-canvas ff-editing"
            tabIndex={0}
            aria-label={label}
            aria-describedby="ff-canvas-help"
            minZoom={ZOOM.min}
            maxZoom={ZOOM.max}
            nodesDraggable={!locked}
            nodesConnectable={!locked}
            nodesFocusable={false}
            edgesFocusable={false}
            edgesReconnectable={!locked && !compact}
            elementsSelectable
            elevateNodesOnSelect={false}
            onlyRenderVisibleElements
            disableKeyboardA11y
            zoomOnDoubleClick={false}
            deleteKeyCode={null}
            selectionKeyCode="Shift"
            multiSelectionKeyCode={ADDING_KEYS}
            selectionMode={SelectionMode.Partial}
            selectionOnDrag={tool === "pointer"}
            panOnDrag={tool === "pointer" ? [1] : [0, 1]}
            panActivationKeyCode="Space"
            nodeDragThreshold={2}
            connectionRadius={28}
            connectionLineComponent={PullLine}
            snapToGrid={snap}
            snapGrid={GRID}
            onNodesChange={onNodesChange}
            onEdgesChange={(changes) => {
              for (const change of changes) {
                if (change.type !== "select") continue;
                if (change.selected) select(editor, [], change.id);
                else if (editor.getState().wire === change.id) select(editor, editor.getState().selection);
              }
            }}
            onNodeDragStop={onStop}
            onSelectionDragStop={onStop}
            isValidConnection={wires.valid}
            onConnectStart={wires.start}
            onConnect={wires.connect}
            onConnectEnd={wires.end}
            onReconnectStart={wires.reconnectStart}
            onReconnect={wires.reconnect}
            onReconnectEnd={wires.reconnectEnd}
            onMove={view.onMove}
            onMoveEnd={view.onMoveEnd}
            onNodeDoubleClick={(event, node) => {
              // In a field a double click chooses a word.
              if (!(event.target instanceof Element && event.target.closest(".nodrag"))) props.onOpen(node.id);
            }}
            onNodeContextMenu={(event, node) => {
              if (event.target instanceof Element && event.target.closest("input, textarea")) return;
              event.preventDefault();
              if (!editor.getState().selection.has(node.id)) select(editor, [node.id]);
              props.onPressed({ at: { x: event.clientX, y: event.clientY }, node: node.id, wire: null });
            }}
            onEdgeContextMenu={(event, edge) => {
              event.preventDefault();
              select(editor, [], edge.id);
              props.onPressed({ at: { x: event.clientX, y: event.clientY }, node: null, wire: edge.id });
            }}
            onPaneContextMenu={(event) => {
              event.preventDefault();
              props.onPressed({ at: { x: event.clientX, y: event.clientY }, node: null, wire: null });
            }}
            onNodeMouseEnter={(_, node) => hoverNode(store, editor.getState().flow, node.id)}
            onNodeMouseLeave={() => hoverNode(store, editor.getState().flow, null)}
            onPaneClick={(event) => {
              select(editor, []);
              if (event.detail === 2 && !locked) props.onBlank({ x: event.clientX, y: event.clientY });
            }}
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
                  node.selected ? "ff-minimap-selected" : node.type === "note" ? "ff-minimap-note" : "ff-minimap-node"
                }
              />
            ) : null}
            <ReviewMount flowId={editor.getState().flowId} />
          </ReactFlow>
          <ArrowHead />
          <p id="ff-canvas-help" className="sr-only">
            {t("flow.canvas.help")}
          </p>
          <CanvasTools view={view} minimap={minimap} onMinimap={onMinimap}>
            <EditorTools
              editor={editor}
              store={store}
              snap={snap}
              onSnap={props.onSnap}
              onLock={props.onLock}
              onArrange={props.onArrange}
            />
            {props.tools}
          </CanvasTools>
          <PortTip root={root} />
          <WireTip root={root} />
        </div>
      </CanvasContext>
    </EditorContext>
  );
}

/** Pulling wires: from port to port, onto a card, into the empty, and off again. */
function useWirePulling({
  editor,
  store,
  onLoose,
  onMisfit,
}: Pick<EditorCanvasProps, "editor" | "onLoose" | "onMisfit"> & { store: CanvasStore }) {
  const moving = useRef<string | null>(null);
  const done = useRef(false);

  const ends = ({ source, target, sourceHandle, targetHandle }: Connection) => ({
    from: { node: source, port: portName(sourceHandle ?? "") },
    to: { node: target, port: portName(targetHandle ?? "") },
  });

  const dropped = (event: MouseEvent | TouchEvent, state: FinalConnectionState): void => {
    const { pulling } = store.getState();
    store.setState({ pulling: null });
    if (done.current || !pulling) return;
    const { toHandle, toNode } = state;
    if (toHandle && toNode) {
      const refusal = pulling.fits.get(portKey(toNode.id, portName(toHandle.id ?? "")));
      const sameSide = (toHandle.type === "source") === (pulling.side === "out");
      if (refusal && !sameSide && toNode.id !== pulling.node) onMisfit(spoken(refusal, editor.getState().flow));
      return;
    }
    const at = "changedTouches" in event ? event.changedTouches[0] : event;
    if (!at) return;
    const card = document.elementFromPoint(at.clientX, at.clientY)?.closest<HTMLElement>("[data-node-id]");
    const onto = card?.dataset.nodeId ?? null;
    if (onto !== null) {
      const port = bestPort(editor.getState(), pulling, onto);
      const own = { node: pulling.node, port: pulling.port };
      if (port === null) return;
      const other = { node: onto, port };
      connectPorts(editor, pulling.side === "out" ? own : other, pulling.side === "out" ? other : own);
      return;
    }
    const { node, port, side } = pulling;
    onLoose({ at: { x: at.clientX, y: at.clientY }, node, port, side });
  };

  return {
    valid: (connection: Connection | WireEdge): boolean => {
      const { pulling } = store.getState();
      if (!pulling) return false;
      const { from, to } = ends({ sourceHandle: null, targetHandle: null, ...connection });
      const other = pulling.side === "out" ? to : from;
      return pulling.fits.get(portKey(other.node, other.port)) === null;
    },
    start: (_: unknown, params: Parameters<typeof beginPull>[1]): void => {
      done.current = false;
      store.setState({ pulling: beginPull(editor.getState(), params) });
    },
    connect: (connection: Connection): void => {
      done.current = true;
      const { from, to } = ends(connection);
      connectPorts(editor, from, to);
    },
    end: (event: MouseEvent | TouchEvent, state: FinalConnectionState): void => {
      if (moving.current === null) dropped(event, state);
    },
    reconnectStart: (_: unknown, edge: WireEdge): void => {
      moving.current = edge.id;
    },
    reconnect: (edge: WireEdge, connection: Connection): void => {
      done.current = true;
      const { from, to } = ends(connection);
      reconnect(editor, edge.id, from, to);
    },
    reconnectEnd: (_: unknown, edge: WireEdge, __: unknown, state: FinalConnectionState): void => {
      moving.current = null;
      store.setState({ pulling: null });
      // Let go over nothing: the wire is taken off.
      if (!done.current && !state.toNode) edit(editor, { op: "cut", wire: edge.id });
    },
  };
}
