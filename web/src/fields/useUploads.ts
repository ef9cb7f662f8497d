import { useEffect, useRef, useState } from "react";
import { fileKeys } from "@/api/files";
import { queryClient } from "@/api/queryClient";
import { uploadFile } from "@/api/transfer";
import type { FileRead } from "@/api/types";
import { isAccepted } from "@/flow/values/files";

export interface UploadLine {
  id: number;
  name: string;
  progress: number;
  refused: "too_large" | "wrong_kind" | null;
  error: unknown;
}

export interface Uploading {
  lines: readonly UploadLine[];
  busy: boolean;
  start: (files: readonly File[], limits: { endings: readonly string[]; maxBytes: number }) => Promise<void>;
  drop: (id: number) => void;
}

let next = 1;

/** Uploads one after the other; what failed or was refused stays listed with its reason. */
export function useUploads(onDone: (file: FileRead) => void): Uploading {
  const [lines, setLines] = useState<readonly UploadLine[]>([]);
  const cancels = useRef(new Map<number, () => void>());
  const change = (id: number, patch: Partial<UploadLine>) =>
    setLines((now) => now.map((line) => (line.id === id ? { ...line, ...patch } : line)));
  const drop = (id: number) => {
    cancels.current.get(id)?.();
    setLines((now) => now.filter((line) => line.id !== id));
  };
  useEffect(() => {
    const running = cancels.current;
    return () => running.forEach((cancel) => cancel());
  }, []);

  const start: Uploading["start"] = async (files, { endings, maxBytes }) => {
    const queued = files.map((file) => ({ file, id: next++, refused: reason(file, endings, maxBytes) }));
    setLines((now) => [
      ...now,
      ...queued.map(({ file, id, refused }) => ({ id, name: file.name, progress: 0, refused, error: null })),
    ]);
    for (const { file, id, refused } of queued) {
      if (refused) continue;
      const upload = uploadFile<FileRead>("/api/v2/files", file, (progress) => change(id, { progress }));
      cancels.current.set(id, upload.cancel);
      try {
        const made = await upload.done;
        await queryClient.invalidateQueries({ queryKey: fileKeys.all });
        onDone(made);
        drop(id);
      } catch (error) {
        if (!(error instanceof DOMException)) change(id, { error });
      } finally {
        cancels.current.delete(id);
      }
    }
  };
  return { lines, busy: lines.some((line) => !line.refused && !line.error), start, drop };
}

function reason(file: File, endings: readonly string[], maxBytes: number): UploadLine["refused"] {
  if (!isAccepted(file.name, endings)) return "wrong_kind";
  return file.size > maxBytes ? "too_large" : null;
}
