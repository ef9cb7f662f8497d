import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";

/** Closer than this to the end counts as being there. */
const near = 48;

/** Keeps the newest in view until the person scrolls up. `turn` changes when they say something: then it goes down again. */
export function useStickToEnd(turn: number): {
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLDivElement | null>;
  away: boolean;
  onScroll: () => void;
  jump: () => void;
} {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const [away, setAway] = useState(false);

  const toEnd = useCallback((): void => {
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, []);

  const onScroll = useCallback((): void => {
    const box = scroller.current;
    if (!box) return;
    stuck.current = box.scrollHeight - box.scrollTop - box.clientHeight < near;
    setAway(!stuck.current);
  }, []);

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

  useEffect(() => {
    const inner = content.current;
    if (!inner) return;
    const observer = new ResizeObserver(() => {
      if (stuck.current) toEnd();
    });
    observer.observe(inner);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [toEnd]);

  return { scroller, content, away, onScroll, jump };
}
