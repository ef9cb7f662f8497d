export interface EmbedOptions {
  title: string;
  placeholder: string;
  theme: "auto" | "light" | "dark";
  position: "bottom-right" | "bottom-left" | "top-right" | "top-left" | "inline";
  /** Empty: the chat's own colour. */
  accent: string;
  startOpen: boolean;
}

export function embedAttributes(base: string, flowId: string, options: EmbedOptions): Record<string, string> {
  const { title, placeholder, theme, position, accent, startOpen } = options;
  return {
    "flow-id": flowId,
    "host-url": base,
    ...(title.trim() ? { "window-title": title.trim() } : {}),
    ...(placeholder.trim() ? { placeholder: placeholder.trim() } : {}),
    ...(theme === "auto" ? {} : { theme }),
    ...(position === "bottom-right" ? {} : { position }),
    ...(accent ? { accent } : {}),
    ...(startOpen ? { "start-open": "" } : {}),
  };
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeAttribute(value: string): string {
  return value.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}

/** What a page needs to have the chat. */
export function embedSnippet(base: string, flowId: string, options: EmbedOptions): string {
  const attributes = Object.entries(embedAttributes(base, flowId, options)).map(([name, value]) =>
    value === "" ? `  ${name}` : `  ${name}="${escapeAttribute(value)}"`,
  );
  const script = `<script src="${escapeAttribute(base)}/embed/chat.js" defer></script>`;
  return `${script}\n<ferroflow-chat\n${attributes.join("\n")}\n></ferroflow-chat>\n`;
}
