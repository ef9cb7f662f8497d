import { type DragEvent, useRef, useState } from "react";
import { carriesFiles } from "@/ui/carriesFiles";

/** Files dropped on a part of the page. */
export function useFileDrop(onFiles: ((files: File[]) => void) | null): {
  over: boolean;
  handlers: Record<"onDragEnter" | "onDragOver" | "onDragLeave" | "onDrop", (event: DragEvent) => void>;
} {
  const [over, setOver] = useState(false);
  // Every element inside says that it is entered and left.
  const depth = useRef(0);
  const takes = (event: DragEvent): boolean => onFiles !== null && carriesFiles(event.dataTransfer);
  return {
    over,
    handlers: {
      onDragEnter: (event) => {
        if (!takes(event)) return;
        depth.current += 1;
        setOver(true);
      },
      onDragOver: (event) => {
        if (!takes(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      },
      onDragLeave: (event) => {
        if (!takes(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) setOver(false);
      },
      onDrop: (event) => {
        depth.current = 0;
        setOver(false);
        if (!takes(event)) return;
        event.preventDefault();
        // The page around it may take files, too.
        event.stopPropagation();
        const files = [...event.dataTransfer.files];
        if (files.length > 0) onFiles?.(files);
      },
    },
  };
}
