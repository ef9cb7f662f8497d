/** As a ref: whoever asked to write wants the caret there at once, and the view to stay. */
export function focusNow(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
