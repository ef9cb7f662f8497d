import { fileKeys } from "@/api/files";
import { queryClient } from "@/api/queryClient";
import { configQuery } from "@/api/session";
import { uploadFile } from "@/api/transfer";
import type { FileRead } from "@/api/types";
import { type Attachment, changeAttachments } from "./chatStore";

/** A file that is not even sent: the server would refuse it after all of it had come. */
export class TooLarge extends Error {
  readonly megabytes: number;
  constructor(megabytes: number) {
    super("The file is too large.");
    this.megabytes = megabytes;
  }
}

const cancels = new Map<number, () => void>();
let next = 1;

/** Uploads files that go with the next message. */
export function attachFiles(chat: string, files: readonly File[]): void {
  for (const file of files) void attachFile(chat, file);
}

async function attachFile(chat: string, file: File): Promise<void> {
  const id = next++;
  const change = (patch: Partial<Attachment>): void =>
    changeAttachments(chat, (list) => list.map((item) => (item.id === id ? { ...item, ...patch } : item)));
  changeAttachments(chat, (list) => [...list, { id, name: file.name, progress: 0, path: null, error: null }]);
  const config = await queryClient.ensureQueryData(configQuery).catch(() => null);
  const most = config?.max_file_size_upload;
  if (most !== undefined && file.size > most * 1024 * 1024) {
    change({ error: new TooLarge(most) });
    return;
  }
  const upload = uploadFile<FileRead>("/api/v2/files", file, (progress) => change({ progress }));
  cancels.set(id, upload.cancel);
  try {
    change({ path: (await upload.done).path, progress: 1 });
    void queryClient.invalidateQueries({ queryKey: fileKeys.all });
  } catch (error) {
    if (!(error instanceof DOMException)) change({ error });
  } finally {
    cancels.delete(id);
  }
}

export function detach(chat: string, id: number): void {
  cancels.get(id)?.();
  changeAttachments(chat, (list) => list.filter((item) => item.id !== id));
}
