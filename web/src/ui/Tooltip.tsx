import { cloneElement, type ReactElement, type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Kbd } from "./Kbd";

type Side = "top" | "bottom" | "left" | "right";

export interface TooltipProps {
  label: ReactNode;
  shortcut?: string;
  side?: Side;
  children: ReactElement;
}

type Handlers = Record<string, ((event: SyntheticEvent) => void) | undefined>;

const delay = 400;
const gap = 6;
// Moving from one control to the next shows the next hint at once.
let lastShown = 0;

function place(box: HTMLElement, anchor: DOMRect, side: Side): void {
  const { width, height } = box.getBoundingClientRect();
  const middleX = anchor.left + anchor.width / 2 - width / 2;
  const middleY = anchor.top + anchor.height / 2 - height / 2;
  const below = anchor.bottom + gap;
  const above = anchor.top - gap - height;
  const spots: Record<Side, [number, number]> = {
    bottom: [middleX, below + height > innerHeight ? above : below],
    top: [middleX, above < 0 ? below : above],
    left: [anchor.left - gap - width, middleY],
    right: [anchor.right + gap, middleY],
  };
  const [x, y] = spots[side];
  box.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
  box.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`;
  box.style.visibility = "visible";
}

/** A hint for sighted users; the trigger must carry its own accessible name. */
export function Tooltip({ label, shortcut, side = "bottom", children }: TooltipProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const own = children.props as Handlers;

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!anchor) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") setAnchor(null);
    };
    const hide = () => setAnchor(null);
    window.addEventListener("keydown", onKey);
    window.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => {
      lastShown = Date.now();
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("scroll", hide, { capture: true });
    };
  }, [anchor]);

  const show = (element: HTMLElement, wait: number) => {
    clearTimeout(timer.current);
    // oxlint-disable-next-line react/purity -- only ever called by the handlers below
    timer.current = setTimeout(() => setAnchor(element), Date.now() - lastShown < 300 ? 0 : wait);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  // oxlint-disable-next-line react/refs -- the timer is touched by the handlers, never while rendering
  const trigger = cloneElement(children as ReactElement<Handlers>, {
    onPointerEnter: (event: SyntheticEvent) => {
      own.onPointerEnter?.(event);
      if ((event.nativeEvent as PointerEvent).pointerType === "mouse") show(event.currentTarget as HTMLElement, delay);
    },
    onPointerLeave: (event: SyntheticEvent) => {
      own.onPointerLeave?.(event);
      hide();
    },
    onPointerDown: (event: SyntheticEvent) => {
      own.onPointerDown?.(event);
      hide();
    },
    onFocus: (event: SyntheticEvent) => {
      own.onFocus?.(event);
      const element = event.currentTarget as HTMLElement;
      if (element.matches(":focus-visible")) show(element, 0);
    },
    onBlur: (event: SyntheticEvent) => {
      own.onBlur?.(event);
      hide();
    },
  });

  return (
    <>
      {trigger}
      {anchor
        ? createPortal(
            <div
              role="tooltip"
              ref={(box) => {
                if (box) place(box, anchor.getBoundingClientRect(), side);
              }}
              className="pointer-events-none invisible fixed top-0 left-0 z-70 flex max-w-72 items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-xs text-ink shadow-2"
            >
              {label}
              {shortcut ? <Kbd keys={shortcut} /> : null}
            </div>,
            document.body,
          )
        : null}
    </>
  );
}
