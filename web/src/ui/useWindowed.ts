import { type UIEvent, useState } from "react";

export interface Windowed {
  from: number;
  to: number;
  before: number;
  after: number;
  onScroll: (event: UIEvent<HTMLElement>) => void;
}

const AROUND = 10;

/** Which rows of a long list are to be drawn; all rows are of one height. */
export function useWindowed(count: number, rowHeight: number, viewHeight: number): Windowed {
  const [top, setTop] = useState(0);
  const room = Math.ceil(viewHeight / rowHeight);
  const first = Math.min(Math.floor(top / rowHeight), Math.max(0, count - room));
  const from = Math.max(0, first - AROUND);
  const to = Math.min(count, first + room + AROUND);
  return {
    from,
    to,
    before: from * rowHeight,
    after: (count - to) * rowHeight,
    onScroll: (event) => {
      const { scrollTop } = event.currentTarget;
      // A step of some rows: not every pixel is worth drawing anew.
      if (Math.abs(scrollTop - top) >= rowHeight * (AROUND / 2) || scrollTop === 0) setTop(scrollTop);
    },
  };
}
