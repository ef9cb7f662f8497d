import { arrayOr, recordOr } from "./json";

export interface ChatEnds {
  input: boolean;
  output: boolean;
}

/** Whether a flow, or a group in it, has a Chat Input to talk to and a Chat Output to answer. */
export function chatEnds(document: unknown): ChatEnds {
  const ends: ChatEnds = { input: false, output: false };
  const look = (flow: unknown, depth: number): void => {
    for (const node of arrayOr(recordOr(flow).nodes)) {
      const data = recordOr(recordOr(node).data);
      if (data.type === "ChatInput") ends.input = true;
      else if (data.type === "ChatOutput") ends.output = true;
      // A document that nests without end must not hang the page.
      else if (depth < 8) look(recordOr(recordOr(data.node).flow).data, depth + 1);
    }
  };
  look(document, 0);
  return ends;
}
