/** What a person's large flow is made of: small text steps, prompts, models, agents with many fields. */
const kinds = [
  "TextInput",
  "Prompt Template",
  "LanguageModelComponent",
  "ParserComponent",
  "CombineText",
  "SplitText",
  "RegexExtractorComponent",
  "Agent",
  "TypeConverterComponent",
  "ChatOutput",
];

const COLUMNS = 25;
const STEP = { x: 440, y: 760 };

const handle = (record) => JSON.stringify(record).replaceAll('"', "œ");

function wire(source, output, target, field) {
  const from = { dataType: source.data.type, id: source.id, name: output.name, output_types: output.types };
  const to = { fieldName: field.name, id: target.id, inputTypes: field.input_types, type: field.type };
  const [sourceHandle, targetHandle] = [handle(from), handle(to)];
  return {
    id: `wire-${source.id}-${output.name}-${target.id}-${field.name}`,
    source: source.id,
    target: target.id,
    sourceHandle,
    targetHandle,
    data: { sourceHandle: from, targetHandle: to },
  };
}

/** The first output of one node that the first open field of the other takes. */
function fit(source, target, taken) {
  const fields = Object.entries(target.data.node.template).flatMap(([name, field]) =>
    field?.show && !field.advanced && field.input_types?.length > 0 ? [{ ...field, name }] : [],
  );
  for (const field of fields) {
    if (taken.has(`${target.id} ${field.name}`)) continue;
    const output = source.data.node.outputs.find((each) => each.types.some((type) => field.input_types.includes(type)));
    if (output) return { output, field };
  }
  return null;
}

/** A flow of `count` nodes made of the server's own components, wired to what came before. */
export function largeFlow(catalog, count) {
  const all = Object.values(catalog).flatMap((category) => Object.entries(category));
  const components = new Map(all.filter(([, component]) => component.template));
  const known = kinds.filter((kind) => components.has(kind));
  if (known.length < 5) throw new Error(`The server lacks the components of the benchmark; it has ${known.join(", ") || "none"}.`);
  const nodes = Array.from({ length: count }, (_, index) => {
    const type = known[index % known.length];
    const id = `${type.replaceAll(" ", "")}-${String(index).padStart(4, "0")}`;
    return {
      id,
      type: "genericNode",
      position: { x: (index % COLUMNS) * STEP.x, y: Math.floor(index / COLUMNS) * STEP.y },
      data: { id, type, node: structuredClone(components.get(type)) },
    };
  });
  const edges = [];
  const taken = new Set();
  for (const [index, target] of nodes.entries()) {
    for (const back of [1, 2, known.length]) {
      const source = nodes[index - back];
      const found = source && fit(source, target, taken);
      if (!found) continue;
      taken.add(`${target.id} ${found.field.name}`);
      edges.push(wire(source, found.output, target, found.field));
    }
  }
  return { nodes, edges, viewport: { x: 0, y: 0, zoom: 1 } };
}
