import { expect, it } from "vitest";
import { eventReader } from "./sse";

const stream = 'id: 1\ndata: {"a":1}\n\n: still here\n\nid: 2\r\ndata: one\r\ndata:two\r\n\r\n';
const events = [
  { id: "1", data: '{"a":1}' },
  { id: "2", data: "one\ntwo" },
];

it("reads events with their numbers, and passes over comments", () => {
  expect(eventReader()(stream)).toEqual(events);
});

it("does not mind where the pieces are cut", () => {
  for (let size = 1; size < stream.length; size += 1) {
    const read = eventReader();
    const found = [];
    for (let at = 0; at < stream.length; at += size) found.push(...read(stream.slice(at, at + size)));
    expect(found, `pieces of ${size}`).toEqual(events);
  }
});

it("keeps back an event that is not whole yet", () => {
  const read = eventReader();
  expect(read("id: 7\ndata: half")).toEqual([]);
  expect(read(" and whole\n\n")).toEqual([{ id: "7", data: "half and whole" }]);
});

it("knows the name of an event that has one, and not that of the one before", () => {
  expect(eventReader()("event: a\nid: 1\ndata: x\n\nid: 2\ndata: y\n\n")).toEqual([
    { id: "1", name: "a", data: "x" },
    { id: "2", data: "y" },
  ]);
});
