export interface ServerEvent {
  id: string | null;
  /** Streams that tell everything name their events; others say it inside. */
  name?: string;
  data: string;
}

/** Reads server-sent events out of pieces of text that are cut anywhere. */
export function eventReader(): (piece: string) => ServerEvent[] {
  let rest = "";
  let id: string | null = null;
  let name: string | null = null;
  let data: string[] = [];
  return (piece) => {
    const events: ServerEvent[] = [];
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const whole of lines) {
      const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
      if (line === "") {
        if (data.length > 0) events.push({ id, ...(name === null ? {} : { name }), data: data.join("\n") });
        data = [];
        name = null;
      } else if (line.startsWith("id:")) {
        id = line.slice(3).trim();
      } else if (line.startsWith("event:")) {
        name = line.slice(6).trim();
      } else if (line.startsWith("data:")) {
        data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      }
    }
    return events;
  };
}
