/** What had the focus is gone: keys would go to the page, where they are shortcuts. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
