import type { components } from "./__generated__/schema";

type Schemas = components["schemas"];

/** The document calls a field that may be null optional; on the wire it is always there. */
type Filled<T> = { [K in keyof T]-?: Exclude<T[K], undefined> };

export type UserRead = Filled<Schemas["UserRead"]>;
export type UserPage = Omit<Schemas["UserPage"], "users"> & { users: UserRead[] };
export type Session = Omit<Schemas["Session"], "user"> & { user: UserRead | null };
export type Config = Schemas["ConfigRead"];
export type Version = Schemas["Version"];
export type Health = Schemas["HealthCheck"];
export type ApiKeyRead = Filled<Schemas["ApiKeyRead"]>;
export type VariableType = Schemas["VariableType"];
export type VariableRead = Filled<Schemas["VariableRead"]>;
export type ModelType = Schemas["ModelType"];
export type ProviderVariable = Schemas["ProviderVariable"];
export type ModelMetadata = Filled<Schemas["ModelMetadata"]>;
export type ModelInfo = Omit<Schemas["ModelInfo"], "metadata"> & { metadata: ModelMetadata };
export type ProviderModels = Omit<Filled<Schemas["ProviderModels"]>, "models"> & { models: ModelInfo[] };
export type ProviderChecked = Filled<Schemas["ProviderChecked"]>;
export type DefaultModelAnswer = Filled<Schemas["DefaultModelAnswer"]>;
export type ProjectRead = Filled<Schemas["ProjectRead"]>;
export type AccessType = Schemas["AccessType"];
export type FlowHeader = Filled<Schemas["FlowHeader"]>;
export type TrashItem = Filled<Schemas["TrashRead"]>;
export type FileRead = Filled<Schemas["FileRead"]>;

/** Kept as the server sent it: what this page does not know must survive a save. */
export interface FlowDocument {
  nodes: Record<string, unknown>[];
  edges: Record<string, unknown>[];
  viewport?: { x: number; y: number; zoom: number };
  [key: string]: unknown;
}

export type FlowRead = Omit<Filled<Schemas["FlowRead"]>, "data"> & { data: FlowDocument | null };

export interface Page<T> {
  items: T[];
  total: number;
  page: number;
  size: number;
  pages: number;
}

export type VersionEntry = Filled<Schemas["VersionRead"]>;
export type VersionPage = Omit<Schemas["VersionPage"], "entries"> & { entries: VersionEntry[] };

export type NodeRef = Omit<Schemas["NodeRef"], "kind"> & { kind: "component" | "note" | "workflow" };
export type WireEnd = Schemas["WireEnd"];
export type WireRef = Schemas["WireRef"];

export type FieldChange = Omit<Schemas["ValueChange"], "old" | "new"> & { old: unknown; new: unknown };

export type FlowDiff = Omit<
  Schemas["FlowDiffRead"],
  "nodes_added" | "nodes_removed" | "nodes_changed" | "flow_changes"
> & {
  nodes_added: NodeRef[];
  nodes_removed: NodeRef[];
  nodes_changed: { node: NodeRef; changes: FieldChange[] }[];
  flow_changes: FieldChange[];
};

export type MessageRead = Filled<Schemas["MessageRead"]>;
export type RunRead = Filled<Schemas["RunRead"]>;
