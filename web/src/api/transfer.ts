import { recoverOnce, reportUnreachable } from "./client";
import { ApiError, errorFromBody, networkError } from "./error";

export interface Upload<T> {
  done: Promise<T>;
  cancel: () => void;
}

/** Sends one file; signs in again and repeats once when the session has ended. */
export function uploadFile<T>(
  url: string,
  file: File,
  onProgress: (fraction: number) => void,
): Upload<T> {
  let current = attempt<T>(url, file, onProgress);
  const done = current.done.catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401 || !(await recoverOnce())) throw error;
    current = attempt<T>(url, file, onProgress);
    return current.done;
  });
  return { done, cancel: () => current.cancel() };
}

/** XMLHttpRequest, because fetch reports no upload progress. */
function attempt<T>(url: string, file: File, onProgress: (fraction: number) => void): Upload<T> {
  const request = new XMLHttpRequest();
  const done = new Promise<T>((resolve, reject) => {
    request.open("POST", url);
    request.responseType = "text";
    request.setRequestHeader("accept", "application/json");
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) {
        onProgress(1);
        resolve(body as T);
      } else {
        reject(uploadError(request, body));
      }
    };
    request.onerror = () => {
      reportUnreachable();
      reject(networkError(null));
    };
    request.onabort = () => reject(new DOMException("Cancelled", "AbortError"));
    const form = new FormData();
    form.append("file", file, file.name);
    request.send(form);
  });
  return { done, cancel: () => request.abort() };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function uploadError(request: XMLHttpRequest, body: unknown): ApiError {
  return errorFromBody(request.status, body, {
    get: (name) => request.getResponseHeader(name),
  });
}

export function fileNameFrom(disposition: string | null, otherwise: string): string {
  if (!disposition) return otherwise;
  const encoded = /filename\*=(?:UTF-8'')([^;]+)/i.exec(disposition)?.[1];
  if (encoded) {
    try {
      return decodeURIComponent(encoded.trim());
    } catch {
      return otherwise;
    }
  }
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1]?.trim() ?? otherwise;
}

/** Hands the answer to the browser's downloads. */
export async function saveResponse(response: Response, otherwise: string): Promise<void> {
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = fileNameFrom(response.headers.get("content-disposition"), otherwise);
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
