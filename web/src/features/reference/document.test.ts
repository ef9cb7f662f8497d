import { expect, it } from "vitest";
import { curlFor, exampleOf, fillPath, filterGroups, type OpenApi, readGroups, typeName } from "./document";

const document: OpenApi = {
  tags: [{ name: "flows", description: "Flows." }, { name: "empty" }],
  paths: {
    "/api/v1/flows/{flow_id}": {
      parameters: [{ name: "flow_id", in: "path", required: true, schema: { type: "string", format: "uuid" } }],
      get: {
        operationId: "read_flow",
        tags: ["flows"],
        summary: "Read one",
        parameters: [{ name: "search", in: "query", schema: { type: "string" } }],
        responses: { "200": { description: "The flow" } },
      },
      patch: {
        operationId: "patch_flow",
        tags: ["flows"],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Patch" } } } },
        responses: {},
      },
    },
    "/health": { get: { responses: {} } },
  },
  components: {
    schemas: {
      Patch: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string" },
          note: { type: "string" },
          parent: { anyOf: [{ $ref: "#/components/schemas/Patch" }, { type: "null" }] },
        },
      },
    },
  },
};

const groups = readGroups(document, "Other");
const read = groups[0]?.operations[0];
const patch = groups[0]?.operations[1];
if (!read || !patch) throw new Error("no operations");

it("groups routes by tag and leaves empty tags out", () => {
  expect(groups.map((group) => [group.name, group.operations.length])).toEqual([
    ["flows", 2],
    ["Other", 1],
  ]);
  expect(read.parameters.map((each) => each.name)).toEqual(["flow_id", "search"]);
});

it("searches method, path and words", () => {
  expect(filterGroups(groups, "patch flows").flatMap((group) => group.operations)).toEqual([patch]);
  expect(filterGroups(groups, "nothing")).toEqual([]);
});

it("names types in a word", () => {
  expect(typeName({ type: "array", items: { $ref: "#/components/schemas/Patch" } })).toBe("Patch[]");
  expect(typeName({ anyOf: [{ type: "string" }, { type: "null" }] })).toBe("string | null");
  expect(typeName({ type: ["integer", "null"] })).toBe("integer | null");
  expect(typeName({ enum: ["asc", "desc"] })).toBe('"asc" | "desc"');
});

it("makes an example of what is required, even of a schema that holds itself", () => {
  expect(exampleOf(document, { $ref: "#/components/schemas/Patch" })).toEqual({ name: "string" });
});

it("fills in the address", () => {
  expect(fillPath(read, { "path:flow_id": "a/b", "query:search": "x y" })).toBe("/api/v1/flows/a%2Fb?search=x+y");
  expect(fillPath(read, {})).toBe("/api/v1/flows/{flow_id}");
});

it("writes a curl call that a shell takes as it is", () => {
  expect(curlFor(document, read, "http://localhost", { "path:flow_id": "it's" })).toBe(
    `curl 'http://localhost/api/v1/flows/it'\\''s' \\\n  --header 'x-api-key: sk-…'`,
  );
  expect(curlFor(document, patch, "http://localhost")).toContain(`--data '{\n  "name": "string"\n}'`);
});
