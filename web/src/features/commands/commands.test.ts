import { expect, it } from "vitest";
import { type Command, findCommands, sections } from "./commands";

const command = (group: Command["group"], label: string, words = ""): Command => ({
  id: label,
  group,
  label,
  words,
  icon: null,
  run: () => {},
});

const all = [
  command("settings", "Appearance", "Settings"),
  command("flows", "Newsletter writer"),
  command("actions", "New flow", "create add"),
  command("projects", "Starter Project"),
];

it("lists everything by group when nothing is typed", () => {
  expect(findCommands(all, " ").map((each) => each.label)).toEqual([
    "New flow",
    "Newsletter writer",
    "Starter Project",
    "Appearance",
  ]);
});

it.each([
  ["new", ["New flow", "Newsletter writer"]],
  ["nwl", ["New flow", "Newsletter writer"]],
  ["create", ["New flow"]],
  ["zzz", []],
])("finds by what was typed: %s", (text, labels) => {
  expect(findCommands(all, text).map((each) => each.label).sort()).toEqual(labels);
});

it("keeps the best group first", () => {
  expect(sections(findCommands(all, "newsl")).map((section) => section.group)).toEqual(["flows"]);
});
