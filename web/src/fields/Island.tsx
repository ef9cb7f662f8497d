import type { ReactNode, SyntheticEvent } from "react";

function stop(event: SyntheticEvent): void {
  event.stopPropagation();
}

/** Popups of a card are elsewhere on the page but still inside the card for React: their events must not move the card. */
export function Island({ children }: { children: ReactNode }) {
  return (
    <div
      role="presentation"
      className="contents"
      onKeyDown={stop}
      onKeyUp={stop}
      onPointerDown={stop}
      onPointerUp={stop}
      onPointerMove={stop}
      onMouseDown={stop}
      onMouseUp={stop}
      onTouchStart={stop}
      onClick={stop}
      onDoubleClick={stop}
      onContextMenu={stop}
      onWheel={stop}
      onFocus={stop}
      onBlur={stop}
      onDragEnter={stop}
      onDragOver={stop}
      onDrop={stop}
      onPaste={stop}
      onCopy={stop}
      onCut={stop}
    >
      {children}
    </div>
  );
}
