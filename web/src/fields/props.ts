import type { JsonRecord } from "@/flow/json";
import type { Field } from "@/flow/model";

export interface FieldControlProps {
  flowId: string | null;
  nodeId: string;
  /** The node's component type. */
  component: string;
  field: Field;
  /** The field's own entry in the template. */
  raw: JsonRecord;
  place: "card" | "panel";
  /** In a card: `inline` is the right part of a line of 32 px, `stacked` a box 28 px high, `tall` one of 46 px. */
  shape: "inline" | "stacked" | "tall";
  /** Accessible name. */
  label: string;
  readOnly: boolean;
  /** The server is refreshing this node. */
  busy: boolean;
  /** A literal, at every keystroke. `beside` are other keys of the field's entry that belong to the value. */
  onChange: (value: unknown, beside?: JsonRecord) => void;
  onVariable: (name: string) => void;
  onConnectionMode: (on: boolean) => void;
  onRefresh: () => void;
  /** Focus left: what was typed is one step to undo. */
  onLeave: () => void;
}

export type ControlProps = FieldControlProps;
