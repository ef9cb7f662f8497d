import { FileUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { carriesFiles } from "./carriesFiles";

/** Files dropped anywhere on the page. */
export function DropZone({
  title,
  hint,
  onFiles,
}: {
  title: string;
  hint: string;
  onFiles: (files: File[]) => void;
}) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);

  useEffect(() => {
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      depth.current += 1;
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      depth.current -= 1;
      if (depth.current <= 0) setOver(false);
    };
    const move = (event: DragEvent) => {
      if (carriesFiles(event.dataTransfer)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      depth.current = 0;
      setOver(false);
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("dragover", move);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("dragover", move);
      window.removeEventListener("drop", drop);
    };
  }, [onFiles]);

  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-40 flex items-center justify-center bg-scrim p-6">
      <div className="flex flex-col items-center gap-2 rounded-xl border-2 border-dashed border-accent bg-surface px-12 py-10 shadow-3">
        <FileUp aria-hidden="true" className="size-8 text-accent" />
        <p className="text-lg font-semibold">{title}</p>
        <p className="text-muted">{hint}</p>
      </div>
    </div>
  );
}
