import { matchSorter } from "match-sorter";
import type { ReactNode } from "react";

export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
  /** Other words a person may type for it. */
  words?: string;
  hint?: string;
  icon: ReactNode;
  run: () => void;
}

export const groupOrder = ["actions", "flows", "projects", "go", "settings"] as const;
export type CommandGroup = (typeof groupOrder)[number];

/** Commands that fit what was typed, in the order of their groups unless something was typed. */
export function findCommands(commands: readonly Command[], text: string, atMost = 40): Command[] {
  const query = text.trim();
  if (!query) {
    return groupOrder
      .flatMap((group) => commands.filter((command) => command.group === group))
      .slice(0, atMost);
  }
  return matchSorter(commands, query, {
    keys: ["label", { key: "words", maxRanking: matchSorter.rankings.CONTAINS }],
  }).slice(0, atMost);
}

export interface Section {
  group: CommandGroup;
  commands: Command[];
}

/** Groups in the order of their best match, keeping the ranking inside each. */
export function sections(found: readonly Command[]): Section[] {
  const groups = new Map<CommandGroup, Command[]>();
  for (const command of found) {
    const list = groups.get(command.group);
    if (list) list.push(command);
    else groups.set(command.group, [command]);
  }
  return [...groups].map(([group, commands]) => ({ group, commands }));
}
