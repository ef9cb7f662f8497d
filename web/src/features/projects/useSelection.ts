import { useMemo, useState } from "react";

/** Which of the listed ids are selected; what leaves the list leaves the selection. */
export function useSelection(listed: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const selected = useMemo(() => new Set(listed.filter((id) => chosen.has(id))), [listed, chosen]);

  const toggle = (id: string, on: boolean, range = false) => {
    const next = new Set(selected);
    const from = anchor === null ? -1 : listed.indexOf(anchor);
    const to = listed.indexOf(id);
    const ids = range && from >= 0 ? listed.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    for (const each of ids) {
      if (on) next.add(each);
      else next.delete(each);
    }
    setAnchor(id);
    setChosen(next);
  };

  return {
    selected: selected as ReadonlySet<string>,
    toggle,
    all: () => setChosen(new Set(listed)),
    clear: () => setChosen(new Set()),
  };
}
