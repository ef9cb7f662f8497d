import { expect, it } from "vitest";
import { parseDetail } from "./runDetail";
import { unreadInput } from "./runFork";

const step = (node: string, inputs: object[]) => ({ node, name: `The ${node}`, type: "T", state: "done", inputs });
const wire = (from: string) => ({ field: "f", label: "F", source: "wire", from: `${from}.out` });
const input = { field: "input_value", label: "Input", source: "input", from: null };
const detail = parseDetail({
  id: "r",
  steps: [
    step("ask", [input]),
    step("think", [wire("ask"), wire("loop")]),
    step("loop", [wire("think")]),
    step("say", [wire("think")]),
    step("aside", []),
  ],
});

it("knows whether a new input would be read by what runs again", () => {
  expect(unreadInput(detail, "")).toBeNull();
  expect(unreadInput(detail, "ask")).toBeNull();
  expect(unreadInput(detail, "aside")).toBeNull();
  expect(unreadInput(detail, "think")).toBe("The ask");
  expect(unreadInput(detail, "say")).toBe("The ask");
});
