/** Without capitals, accents and signs, one space between words. */
export function plainText(value: string): string {
  return value
    .normalize("NFD")
    .replaceAll(/\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export function wordsOf(value: string): string[] {
  return [...new Set(plainText(value).split(" "))].filter((word) => word !== "");
}

// Words that say nothing about what somebody wants to build.
const EMPTY: ReadonlySet<string> = new Set(
  (
    "also and any are but build can create does each every flow for from get give had has have how into its let make need not one our out please should some " +
    "something that the their them then these they this use uses using want was were what when which who will with would you your " +
    "com criar dos das esse este fluxo isso mais meu minha para pelo por quando que quero seu sua uma"
  ).split(" "),
);

/** The words of a description that tell what it is about. */
export function tellingWords(description: string): string[] {
  return wordsOf(description).filter((word) => !EMPTY.has(word) && (word.length > 2 || /[^a-z]/.test(word)));
}

/** The beginning that words of one family share: "approval" and "approves", "chatbots" and "chatbot". */
export function stemOf(word: string): string {
  return word.length > 5 ? word.slice(0, Math.max(5, word.length - 3)) : word.replace(/(?<=..)s$/, "");
}

/** Names that the server sets between back quotes, for places that show plain text. */
export function quoted(sentence: string): string {
  return sentence.replaceAll(/`([^`\n]+)`/g, "“$1”");
}
