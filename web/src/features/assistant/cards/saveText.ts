/** Saves a text as a file, from memory. */
export function saveText(path: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = fileName(path);
  link.click();
  // Some browsers begin to read only after this.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The last part of a path, without what file systems refuse. */
export function fileName(path: string): string {
  const last = path.split(/[/\\]/).findLast((part) => part !== "") ?? "";
  return last.replaceAll(/[\p{Cc}:*?"<>|]/gu, "_") || "file.txt";
}
