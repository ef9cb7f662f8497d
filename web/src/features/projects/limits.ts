import type { Config } from "@/api/types";

/** The largest file the server takes, in bytes. */
export function maxUpload(config: Config | undefined): number {
  return (config?.max_file_size_upload ?? 1024) * 1024 * 1024;
}
