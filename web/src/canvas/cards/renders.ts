declare global {
  interface Window {
    /** Set by the benchmark, which counts how many cards one key press draws again. */
    ferroRenders?: (node: string) => void;
  }
}

export function countRender(node: string): void {
  window.ferroRenders?.(node);
}
