import { arrayOr, isRecord, recordOr, strings, text, textOrNull, type JsonRecord } from "./json";
import { humanise } from "./fields";
import type { Output } from "./model";
import { canonicalType, canonicalTypes } from "./portTypes";

export function readOutputs(component: JsonRecord): Output[] {
  const seen = new Set<string>();
  return arrayOr(component.outputs)
    .filter(isRecord)
    .map(readOutput)
    .filter((output) => {
      if (output.name === "" || seen.has(output.name)) return false;
      seen.add(output.name);
      return true;
    });
}

function readOutput(raw: JsonRecord): Output {
  const types = canonicalTypes(strings(raw.types));
  const selected = textOrNull(raw.selected);
  const proxy = recordOr(raw.proxy);
  const proxyId = textOrNull(proxy.id);
  const proxyName = textOrNull(proxy.name);
  return {
    name: text(raw.name),
    label: textOrNull(raw.display_name) ?? humanise(text(raw.name)),
    types,
    type: selected ? canonicalType(selected) : (types[0] ?? null),
    hidden: raw.hidden === true,
    loop: raw.allows_loop === true,
    grouped: raw.group_outputs === true,
    proxy: proxyId && proxyName ? { id: proxyId, name: proxyName } : null,
  };
}

/**
 * The outputs a card shows: all of them when grouped, otherwise the chosen one;
 * a wired output is shown even if it is hidden or not chosen, so that no wire starts in the air.
 */
export function shownOutputs(
  outputs: readonly Output[],
  selected: string | null,
  wired: ReadonlySet<string>,
): string[] {
  const visible = outputs.filter((output) => !output.hidden);
  const grouped = visible.length < 2 || visible.some((output) => output.grouped);
  const chosen = visible.find((output) => output.name === selected) ?? visible[0];
  return outputs
    .filter((output) => wired.has(output.name) || (!output.hidden && (grouped || output === chosen)))
    .map((output) => output.name);
}

/** Group nodes name an output `<inner node>_<output>` in their handles. */
export function findOutput(
  outputs: readonly Output[],
  name: string,
  types: readonly string[],
): Output | null {
  const exact = outputs.find((output) => output.name === name);
  if (exact) return exact;
  const viaProxy = outputs.find(
    (output) => output.proxy && `${output.proxy.id}_${output.proxy.name}` === name,
  );
  if (viaProxy) return viaProxy;
  if (name !== "") return null;
  const wanted = new Set(canonicalTypes(types));
  return outputs.find((output) => output.types.some((type) => wanted.has(type))) ?? null;
}
