import type { Flow } from "@/flow/model";
import { fieldToken, fieldsFor, mentionAt, nodesFor, nodeToken } from "../model/mentions";

/** What can be told the panel itself. The meaning is the reducer's. */
export const COMMANDS = [
  { name: "/skip-all", argument: null, what: "assistant.input.command.skipAll" },
  { name: "/history", argument: "assistant.input.command.historyArgument", what: "assistant.input.command.history" },
  { name: "/iterations", argument: "assistant.input.command.iterationsArgument", what: "assistant.input.command.iterations" },
] as const;

export type Command = (typeof COMMANDS)[number];

export type Suggestion = {
  /** Unique in its list. */
  id: string;
  /** What is written instead. */
  text: string;
} & (
  | { kind: "node"; title: string; icon: string | null; node: string }
  | { kind: "field"; title: string; name: string; node: string }
  | { kind: "command"; command: Command }
);

export interface Suggestions {
  kind: Suggestion["kind"];
  /** Where what is replaced begins; it ends at the cursor. */
  from: number;
  query: string;
  items: Suggestion[];
}

/** What could be meant at the cursor; null where nothing is asked for. */
export function suggestionsFor(text: string, cursor: number, flow: Flow): Suggestions | null {
  return commandsAt(text, cursor) ?? mentionsAt(text, cursor, flow);
}

function commandsAt(text: string, cursor: number): Suggestions | null {
  const query = text.slice(0, cursor);
  if (!/^\/[a-z-]*$/iu.test(text) || cursor === 0) return null;
  const items = COMMANDS.filter(({ name }) => name.startsWith(query.toLowerCase())).map(
    (command): Suggestion => ({
      kind: "command",
      id: command.name,
      text: command.argument === null ? command.name : `${command.name} `,
      command,
    }),
  );
  return items.length === 0 ? null : { kind: "command", from: 0, query, items };
}

function mentionsAt(text: string, cursor: number, flow: Flow): Suggestions | null {
  const mention = mentionAt(text, cursor, (id) => flow.byId.has(id));
  if (!mention) return null;
  const { kind, from, query } = mention;
  const items =
    mention.kind === "node"
      ? nodesFor(flow, query).map(
          ({ id, title, icon }): Suggestion => ({ kind: "node", id, title, icon, node: id, text: nodeToken(id) }),
        )
      : fieldsFor(flow, mention.node, query).map(
          ({ name, label }): Suggestion => ({
            kind: "field",
            id: `${mention.node}.${name}`,
            title: label,
            name,
            node: mention.node,
            text: `${fieldToken(mention.node, name)}${/^\s/u.test(text.slice(cursor)) ? "" : " "}`,
          }),
        );
  // Names have spaces in them, and so have sentences: what fits no name is one. A dot may end one as well.
  if (items.length === 0 && (mention.kind === "field" ? query === "" : /\s/u.test(query))) return null;
  return { kind, from, query, items };
}
