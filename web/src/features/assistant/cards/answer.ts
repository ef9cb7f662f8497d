import type { AssistantMessage } from "../model/types";

/** What of an answer is shown as text: the code of a component has a card of its own. */
export function answerText(message: AssistantMessage): string {
  const { component, content } = message;
  if (!component) return content;
  // The card says it, in the language of the page.
  if (!component.validated) return "";
  return withoutCode(content, component.code);
}

/** The text without the fenced blocks that say the code again, whole or in part. */
function withoutCode(content: string, code: string): string {
  const known = code.trim();
  return content
    .replace(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n\1[ \t]*$/gm, (block, _fence: string, inner: string) => {
      const same = inner.trim();
      return same !== "" && (known.includes(same) || same.includes(known)) ? "" : block;
    })
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
