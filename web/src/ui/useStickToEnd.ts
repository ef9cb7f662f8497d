import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";

/** Closer than this to the end counts as being there. */
const near = 48;

/**
 * Keeps the newest in view until the person scrolls up. `turn` changes when they say something: then it goes down
 * again. `first` is the earliest message: when one comes before it, what is in view stays where it is.
 */
export function useStickToEnd(
  turn: number,
  first: string | null,
): {
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLDivElement | null>;
  away: boolean;
  onScroll: () => void;
  jump: () => void;
} {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const last = useRef({ top: 0, height: 0 });
  const [away, setAway] = useState(false);

  const look = useCallback((): void => {
    const box = scroller.current;
    if (box) last.current = { top: box.scrollTop, height: box.scrollHeight };
  }, []);

  const toEnd = useCallback((): void => {
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
    look();
  }, [look]);

  const onScroll = useCallback((): void => {
    const box = scroller.current;
    if (!box) return;
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < near;
    // The box and what is in it change their heights, too; only a person goes up.
    if (atEnd) stuck.current = true;
    else if (box.scrollTop < last.current.top - 1) stuck.current = false;
    look();
    setAway(!stuck.current);
  }, [look]);

  const jump = useCallback((): void => {
    stuck.current = true;
    setAway(false);
    toEnd();
  }, [toEnd]);

  const turned = useEffectEvent((_turn: number): void => {
    stuck.current = true;
    toEnd();
  });
  useLayoutEffect(() => turned(turn), [turn]);

  const grown = useEffectEvent((_first: string | null): void => {
    const box = scroller.current;
    if (!box || stuck.current) return;
    // Browsers that keep the place themselves have not moved yet; setting it tells them that it is done.
    const { top, height } = last.current;
    if (height > 0 && box.scrollHeight > height) box.scrollTop = top + box.scrollHeight - height;
    look();
  });
  useLayoutEffect(() => grown(first), [first]);

  useEffect(() => {
    const inner = content.current;
    if (!inner) return;
    const observer = new ResizeObserver(() => {
      if (stuck.current) toEnd();
      else look();
    });
    observer.observe(inner);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [toEnd, look]);

  return { scroller, content, away, onScroll, jump };
}
