/** A name that every file system takes, with its ending. */
export function fileNameOf(name: string): string {
  const bare = name.replace(/\.json$/i, "");
  const safe = Array.from(bare, (char) => (/[<>:"/\\|?*]/.test(char) || char < " " ? "-" : char)).join("");
  const trimmed = safe.replace(/^[\s.]+|[\s.]+$/g, "").slice(0, 120);
  return `${trimmed || "flow"}.json`;
}
