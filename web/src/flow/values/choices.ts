import { arrayOr, isRecord, recordOr, scalarText, strings, text, type JsonRecord } from "../json";
import { listItems } from "./lists";

export interface Choice {
  value: string;
  label: string;
  /** A second line: what the option's metadata says about it. */
  hint: string;
  raw: unknown;
}

export function readChoices(raw: JsonRecord): Choice[] {
  const about = arrayOr(raw.options_metadata);
  return arrayOr(raw.options).flatMap((option, index): Choice[] => {
    const record = recordOr(option);
    const value = isRecord(option) ? text(record.name) || text(record.value) : scalarText(option);
    if (value === "") return [];
    const label = text(record.display_name) || value;
    return [{ value, label, hint: metadataText(about[index]), raw: option }];
  });
}

function metadataText(metadata: unknown): string {
  return Object.entries(recordOr(metadata))
    .filter(([key, item]) => key !== "icon" && key !== "name" && scalarText(item) !== "")
    .map(([key, item]) => (typeof item === "string" ? item : `${key.replaceAll("_", " ")}: ${scalarText(item)}`))
    .join(" · ");
}

/** Names in a field that holds one name, several, or objects with names. */
export function chosenNames(value: unknown): string[] {
  return listItems(value).flatMap((item) => {
    const name = isRecord(item) ? text(item.name) || text(item.value) : scalarText(item);
    return name === "" ? [] : [name];
  });
}

/** Sortable lists keep the option as it was offered; what is not offered any more stays as it was saved. */
export function sortableValue(names: readonly string[], choices: readonly Choice[], before: unknown): unknown[] {
  const old = listItems(before);
  return names.map((name) => {
    const kept = old.find((item) => isRecord(item) && text(item.name) === name);
    const offered = choices.find((choice) => choice.value === name);
    return kept ?? (offered && isRecord(offered.raw) ? offered.raw : { name });
  });
}

/** The form a dropdown may bring along to make a new option: a component with fields. */
export function dialogForm(raw: JsonRecord): JsonRecord | null {
  const { node } = recordOr(recordOr(recordOr(raw.dialog_inputs).fields).data);
  return isRecord(node) && isRecord(node.template) ? node : null;
}

export interface ToolRow {
  index: number;
  name: string;
  usualName: string;
  description: string;
  usualDescription: string;
  on: boolean;
  approval: boolean;
  readOnly: boolean;
  tags: string[];
}

export function toolRows(value: unknown): ToolRow[] {
  return arrayOr(value).flatMap((item, index): ToolRow[] => {
    if (!isRecord(item)) return [];
    return [
      {
        index,
        name: text(item.name),
        usualName: text(item.display_name) || text(item.name),
        description: text(item.description),
        usualDescription: text(item.display_description),
        on: item.status !== false,
        approval: item.approval === true || arrayOr(item.approval_actions).length > 0,
        readOnly: item.readonly === true,
        tags: strings(item.tags),
      },
    ];
  });
}

export const APPROVAL_ACTIONS = ["approve", "reject"];

export function changeTool(
  value: unknown,
  index: number,
  change: Partial<Pick<ToolRow, "name" | "description" | "on" | "approval">>,
): unknown[] {
  return arrayOr(value).map((item, at) => {
    if (at !== index || !isRecord(item)) return item;
    const next: JsonRecord = { ...item };
    if (change.name !== undefined) next.name = change.name;
    if (change.description !== undefined) next.description = change.description;
    if (change.on !== undefined) next.status = change.on;
    if (change.approval !== undefined) {
      next.approval = change.approval;
      next.approval_actions = change.approval ? APPROVAL_ACTIONS : [];
    }
    return next;
  });
}

/** Names of tools reach the model, which takes these signs only; the server replaces others. */
export function toolNameFits(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}
