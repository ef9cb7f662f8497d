import type { Field, Output, Port, PortRole } from "./model";

function port(id: string, role: PortRole, init: Pick<Port, "side" | "name" | "label" | "types">): Port {
  return { id, role, ...init, type: init.types.length === 1 ? (init.types[0] ?? null) : null };
}

export function fieldPort({ name, label, types }: Field): Port {
  return port(`in:${name}`, "field", { side: "in", name, label, types });
}

export function outputPort({ name, label, type, types }: Output): Port {
  return port(`out:${name}`, "output", { side: "out", name, label, types: type ? [type] : types });
}

/** An output that takes the result of a round back in. */
export function loopPort({ name, label, types }: Output): Port {
  return port(`loop:${name}`, "loop", { side: "in", name, label, types });
}

export function controlPort(side: Port["side"], name: string, label: string): Port {
  return port(`${side}:${name}`, "control", { side, name, label, types: ["Control"] });
}

/** A port that a wire names and its node does not have. */
export function lostPort(side: Port["side"], name: string): Port {
  return port(`lost:${side}`, "lost", { side, name, label: name, types: [] });
}

/** A port of a node we know nothing about, made up from the wire that uses it. */
export function guessedPort(side: Port["side"], name: string, types: string[]): Port {
  return port(`${side}:${name}`, side === "in" ? "field" : "output", { side, name, label: name, types });
}
