import { expect, it } from "vitest";
import type { FlowRead } from "@/api/types";
import { chat } from "@/flow/fixtures/build";
import { select } from "./actions";
import { boxes, freePlace } from "./boxes";
import { createEditor } from "./state";

const open = () =>
  createEditor({ id: "f", name: "F", data: chat(), revision: 1, locked: false } as unknown as FlowRead);

it("puts a card that nobody pointed a place for beside the chosen one", () => {
  const editor = open();
  const near = { x: 9000, y: 9000 };
  expect(freePlace(editor.getState(), "Any", { near }).x).toBeGreaterThan(8000);
  const last = boxes(editor.getState()).toSorted((a, b) => b.x + b.width - (a.x + a.width))[0];
  if (!last) throw new Error("no card");
  select(editor, [last.id]);
  expect(freePlace(editor.getState(), "Any", { near })).toEqual({ x: last.x + last.width + 80, y: last.y });
});

it("lays the card of a loose wire beyond its end", () => {
  const state = open().getState();
  const at = { x: 9000, y: 9000 };
  expect(freePlace(state, "Any", at).x).toBe(9000 - 160);
  expect(freePlace(state, "Any", at, "out").x).toBe(9000);
  expect(freePlace(state, "Any", at, "in").x).toBe(9000 - 320);
});
