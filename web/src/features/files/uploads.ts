import { create } from "zustand";
import { fileKeys } from "@/api/files";
import { queryClient } from "@/api/queryClient";
import { uploadFile } from "@/api/transfer";
import type { FileRead } from "@/api/types";

export interface UploadItem {
  id: number;
  name: string;
  progress: number;
  error: unknown;
  tooLarge: boolean;
}

export const useUploads = create<{ items: UploadItem[] }>(() => ({ items: [] }));

const cancels = new Map<number, () => void>();
let next = 1;

function change(id: number, patch: Partial<UploadItem>): void {
  useUploads.setState((state) => ({
    items: state.items.map((item) => (item.id === id ? { ...item, ...patch } : item)),
  }));
}

export function dropUpload(id: number): void {
  cancels.get(id)?.();
  useUploads.setState((state) => ({ items: state.items.filter((item) => item.id !== id) }));
}

/** Uploads one after the other; what succeeds leaves the list, what fails stays with its reason. */
export async function uploadFiles(files: readonly File[], maxBytes: number): Promise<void> {
  const queued = files.map((file) => ({ file, id: next++ }));
  useUploads.setState((state) => ({
    items: [
      ...state.items,
      ...queued.map(({ file, id }) => ({
        id,
        name: file.name,
        progress: 0,
        error: null,
        tooLarge: file.size > maxBytes,
      })),
    ],
  }));
  for (const { file, id } of queued) {
    if (file.size > maxBytes) continue;
    const upload = uploadFile<FileRead>("/api/v2/files", file, (progress) => change(id, { progress }));
    cancels.set(id, upload.cancel);
    try {
      await upload.done;
      cancels.delete(id);
      dropUpload(id);
      await queryClient.invalidateQueries({ queryKey: fileKeys.all });
    } catch (error) {
      cancels.delete(id);
      if (!(error instanceof DOMException)) change(id, { error });
    }
  }
}
