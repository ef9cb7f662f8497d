import { type ComponentType, createElement, memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isRecord, type JsonRecord } from "@/flow/json";
import type { Field, FieldKind } from "@/flow/model";
import { ActionsControl } from "./ActionsControl";
import { ChoiceControl } from "./ChoiceControl";
import { CodeControl } from "./CodeControl";
import { DictControl } from "./DictControl";
import { FileControl } from "./FileControl";
import { JsonControl } from "./JsonControl";
import { LinkControl } from "./LinkControl";
import { ListControl } from "./ListControl";
import { McpControl } from "./McpControl";
import { ModelControl } from "./ModelControl";
import { DurationControl, NumberControl } from "./NumberControl";
import { PromptControl } from "./PromptControl";
import type { ControlProps, FieldControlProps } from "./props";
import { SecretControl } from "./SecretControl";
import { MultiselectControl, SortableControl } from "./SeveralControl";
import { SliderControl } from "./SliderControl";
import { TableControl } from "./TableControl";
import { LongTextControl, TextControl } from "./TextControl";
import { BoolControl, TabControl } from "./ToggleControls";
import { ToolsControl } from "./ToolsControl";
import { VariableChip } from "./VariableButton";

export type { FieldControlProps } from "./props";

const BY_KIND: Record<FieldKind, ComponentType<ControlProps>> = {
  text: TextControl,
  multiline: LongTextControl,
  number: NumberControl,
  slider: SliderControl,
  bool: BoolControl,
  dropdown: ChoiceControl,
  multiselect: MultiselectControl,
  tab: TabControl,
  list: ListControl,
  dict: DictControl,
  table: TableControl,
  file: FileControl,
  secret: SecretControl,
  prompt: PromptControl,
  code: CodeControl,
  model: ModelControl,
  link: LinkControl,
  tools: ToolsControl,
  duration: DurationControl,
  port: PortHint,
  other: JsonControl,
};

const BY_TYPE: Record<string, ComponentType<ControlProps>> = {
  sortableList: SortableControl,
  actionPicker: ActionsControl,
  mcp: McpControl,
  NestedDict: JsonControl,
  data_display: JsonControl,
};

/** Kinds whose control shows a text, a number or a yes; other values are shown as JSON, so that none is lost. */
const SCALAR = new Set<FieldKind>(["text", "multiline", "number", "slider", "prompt", "code", "link", "tab"]);

function controlFor(field: Field, raw: JsonRecord): ComponentType<ControlProps> {
  const type = typeof raw.type === "string" ? raw.type : "";
  const special = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  if (special) return special;
  if (SCALAR.has(field.kind) && (isRecord(field.value) || Array.isArray(field.value)))
    return field.kind === "text" && field.list ? ListControl : JsonControl;
  if (field.kind === "dropdown" && field.options.length === 0 && isRecord(field.value)) return JsonControl;
  if (field.kind === "tab" && field.options.length === 0) return TextControl;
  if (field.kind === "duration" && field.options.length === 0) return JsonControl;
  return BY_KIND[field.kind];
}

function AnyControl(props: FieldControlProps): ReactNode {
  const { field, raw } = props;
  if (field.variable !== null) return <VariableChip {...props} />;
  return createElement(controlFor(field, raw), props);
}

/** The control that edits one field of a node. */
export const FieldControl = memo(AnyControl);

function PortHint({ place }: ControlProps) {
  const { t } = useTranslation();
  return place === "panel" ? <p className="text-xs text-faint">{t("flow.field.notConnected")}</p> : null;
}
