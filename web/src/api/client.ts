import createClient from "openapi-fetch";
import type { paths } from "./__generated__/schema";
import { errorFromBody, networkError } from "./error";

type Unsubscribe = () => void;

const offlineListeners = new Set<() => void>();

/** Called whenever a request got no answer at all. */
export function onUnreachable(listener: () => void): Unsubscribe {
  offlineListeners.add(listener);
  return () => offlineListeners.delete(listener);
}

export function reportUnreachable(): void {
  for (const listener of offlineListeners) listener();
}

/** Resolves true once the person is signed in again, false if they are not. Set by the session feature. */
let recoverSession: (() => Promise<boolean>) | null = null;

export function setSessionRecovery(recover: (() => Promise<boolean>) | null): void {
  recoverSession = recover;
}

let recovering: Promise<boolean> | null = null;

/** Signs in again, once for all requests that found the session ended. */
export function recoverOnce(): Promise<boolean> {
  recovering ??= (recoverSession?.() ?? Promise.resolve(false)).finally(() => {
    recovering = null;
  });
  return recovering;
}

// Their 401 is an answer, not an expired session.
const answersWithout = /\/api\/v1\/(login|auto_login|refresh|logout|session|users\/[^/]+\/reset-password)$/;

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    reportUnreachable();
    throw networkError(cause);
  }
}

/** `fetch` with the session's cookie; signs in again and repeats once when the session has ended. */
export async function sessionFetch(input: Request): Promise<Response> {
  const again = input.clone();
  const response = await send(input);
  if (response.status !== 401 || answersWithout.test(new URL(input.url).pathname)) return response;
  const recovered = await recoverOnce();
  return recovered ? send(again) : response;
}

export const client = createClient<paths>({
  baseUrl: typeof location === "undefined" ? "http://localhost" : location.origin,
  credentials: "same-origin",
  headers: { accept: "application/json" },
  fetch: sessionFetch,
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Unwraps an openapi-fetch answer, turning the error envelope into an ApiError. */
export async function unwrap<T>(pending: Promise<Answer<T>>): Promise<T> {
  return (await unwrapWithResponse(pending)).data;
}

export async function unwrapWithResponse<T>(
  pending: Promise<Answer<T>>,
): Promise<{ data: T; response: Response }> {
  const { data, error, response } = await pending;
  if (!response.ok) throw errorFromBody(response.status, error, response.headers);
  return { data: data as T, response };
}
