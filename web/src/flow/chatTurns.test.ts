import { describe, expect, it } from "vitest";
import { lastTurn } from "./chatTurns";
import { parseMessages } from "./messages";

function check(senders: string, wanted: string): void {
  const thread = parseMessages(
    [...senders].map((letter, index) => ({ id: `${letter}${index}`, sender: letter === "u" ? "User" : "Machine" })),
  );
  const turn = lastTurn(thread);
  expect(turn ? [turn.question, ...turn.answers].map((message) => message.id).join(" ") : "").toBe(wanted);
}

describe("the last turn", () => {
  it("is the last question with all its answers", () => {
    check("umumm", "u2 m3 m4");
    check("umu", "u2");
  });
  it("is none where nobody asked", () => {
    check("mm", "");
    check("", "");
  });
});
