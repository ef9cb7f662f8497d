/** Hands things on once a frame, however fast they come. */
export function oncePerFrame<T>(deliver: (items: T[]) => void): {
  add: (items: readonly T[]) => void;
  flush: () => void;
} {
  let waiting: T[] = [];
  let planned = false;
  const flush = (): void => {
    planned = false;
    const items = waiting;
    waiting = [];
    if (items.length > 0) deliver(items);
  };
  return {
    add: (items) => {
      waiting.push(...items);
      if (planned) return;
      planned = true;
      // A page in the background draws no frames.
      if (document.hidden) setTimeout(flush, 100);
      else requestAnimationFrame(flush);
    },
    flush,
  };
}
