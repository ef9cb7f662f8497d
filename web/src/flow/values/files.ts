import { isRecord, scalarText, strings, text, type JsonRecord } from "../json";
import { listItems } from "./lists";

export interface ChosenFile {
  path: string;
  name: string;
}

/** The files a field names: paths stand in `file_path`, names in the value; older flows have paths in the value alone. */
export function chosenFiles(raw: JsonRecord): ChosenFile[] {
  const beside = textsIn(raw.file_path);
  const values = textsIn(raw.value);
  const paths = beside.length > 0 ? beside : values;
  return paths.map((path, index) => ({
    path,
    name: fileName((beside.length === values.length ? values[index] : undefined) ?? path),
  }));
}

function textsIn(value: unknown): string[] {
  return listItems(value).flatMap((item) => {
    const path = isRecord(item) ? text(item.file_path) || text(item.path) || text(item.name) : scalarText(item);
    return path === "" ? [] : [path];
  });
}

function fileName(path: string): string {
  return path.split(/[\\/]/).pop() || path;
}

/** What a file field saves: the names people see, and beside them the paths by which the files are read. */
export function fileEntry(
  files: readonly ChosenFile[],
  list: boolean,
): { value: string | string[]; file_path: string | string[] } {
  const one = <T>(items: readonly T[], none: T): T | T[] => (list ? [...items] : (items[0] ?? none));
  return { value: one(files.map(({ name }) => name), ""), file_path: one(files.map(({ path }) => path), "") };
}

/** Endings without a dot, in small letters; none means any file. */
export function acceptedEndings(raw: JsonRecord): string[] {
  const listed = strings(raw.fileTypes).length > 0 ? strings(raw.fileTypes) : strings(raw.file_types);
  return listed.map((ending) => ending.replace(/^\./, "").toLowerCase());
}

export function isAccepted(name: string, endings: readonly string[]): boolean {
  if (endings.length === 0) return true;
  const lower = name.toLowerCase();
  return endings.some((ending) => lower.endsWith(`.${ending}`));
}
