export interface UserRead {
  id: string;
  username: string;
  profile_image: string | null;
  is_active: boolean;
  is_superuser: boolean;
  create_at: string;
  updated_at: string;
  last_login_at: string | null;
  optins: Record<string, unknown>;
  has_password: boolean;
}

export interface Session {
  authenticated: boolean;
  user: UserRead | null;
}

export interface Config {
  type: "public" | "full";
  auto_login: boolean;
  signup_enabled: boolean;
  max_file_size_upload: number;
  auto_saving: boolean;
  auto_saving_interval: number;
  default_folder_name: string;
  version?: string;
}

export interface Version {
  version: string;
  main_version: string;
  package: string;
}

export interface UserPage {
  total_count: number;
  users: UserRead[];
}

export interface ApiKeyRead {
  id: string;
  name: string;
  api_key: string;
  created_at: string;
  last_used_at: string | null;
  total_uses: number;
  is_active: boolean;
  expires_at: string | null;
}

export type VariableType = "Generic" | "Credential";

export interface VariableRead {
  id: string;
  name: string;
  type: VariableType;
  value: string | null;
  default_fields: string[];
  has_value: boolean;
  created_at: string;
  updated_at: string;
}

export interface ProjectRead {
  id: string;
  name: string;
  description: string;
  parent_id: string | null;
  owner_username: string;
  is_owner: boolean;
  flow_count: number;
  component_count: number;
  created_at: string;
  updated_at: string;
}

export type AccessType = "PRIVATE" | "PUBLIC";

export interface FlowBase {
  id: string;
  name: string;
  description: string | null;
  icon: string | null;
  icon_bg_color: string | null;
  gradient: string | null;
  is_component: boolean;
  updated_at: string;
  created_at: string;
  endpoint_name: string | null;
  tags: string[] | null;
  locked: boolean;
  access_type: AccessType;
  user_id: string;
  folder_id: string;
  revision: number;
}

export interface FlowHeader extends FlowBase {
  node_count: number;
  edge_count: number;
  note_count: number;
}

/** The document is kept as the server sent it: what this client does not know must survive a save. */
export interface FlowDocument {
  nodes: Record<string, unknown>[];
  edges: Record<string, unknown>[];
  viewport?: { x: number; y: number; zoom: number };
  [key: string]: unknown;
}

export interface FlowRead extends FlowBase {
  data: FlowDocument | null;
}

export interface Page<T> {
  items: T[];
  total: number;
  page: number;
  size: number;
  pages: number;
}

export interface VersionEntry {
  id: string;
  flow_id: string;
  user_id: string;
  version_number: number;
  description: string | null;
  created_at: string;
  node_count: number;
}

export interface VersionPage {
  entries: VersionEntry[];
  max_entries: number;
  total: number;
}

export interface NodeRef {
  id: string;
  name: string;
  kind: "component" | "note" | "workflow";
  type: string;
}

export interface WireEnd {
  node: string;
  name: string;
  port: string;
}

export interface WireRef {
  from: WireEnd;
  to: WireEnd;
}

export interface FieldChange {
  path: string;
  label: string;
  old: unknown;
  new: unknown;
}

export interface FlowDiff {
  identical: boolean;
  summary: {
    nodes_added: number;
    nodes_removed: number;
    nodes_changed: number;
    wires_added: number;
    wires_removed: number;
    flow_changed: number;
  };
  text: string;
  nodes_added: NodeRef[];
  nodes_removed: NodeRef[];
  nodes_changed: { node: NodeRef; changes: FieldChange[] }[];
  wires_added: WireRef[];
  wires_removed: WireRef[];
  flow_changes: FieldChange[];
}

export interface TrashItem {
  kind: "flow" | "project";
  id: string;
  name: string;
  deleted_at: string;
  expires_at: string;
  flow_count?: number;
  folder_id?: string | null;
}

export interface FileRead {
  id: string;
  name: string;
  path: string;
  size: number;
  mime_type: string;
  created_at: string;
  updated_at: string;
}
