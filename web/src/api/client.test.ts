import { afterEach, expect, it, vi } from "vitest";
import { onUnreachable, sessionFetch, setSessionRecovery, unwrap } from "./client";
import { ApiError } from "./error";

function answers(...list: (Response | Error)[]) {
  const queue = [...list];
  return vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    const next = queue.shift();
    if (next instanceof Error) throw next;
    return next ?? new Response(null, { status: 500 });
  });
}

const request = (path = "/api/v1/flows") => new Request(`http://localhost${path}`);

afterEach(() => setSessionRecovery(null));

it("repeats a request once the person has signed in again", async () => {
  const fetch = answers(new Response(null, { status: 401 }), new Response("{}"));
  setSessionRecovery(async () => true);
  expect((await sessionFetch(request())).status).toBe(200);
  expect(fetch).toHaveBeenCalledTimes(2);
});

it("asks only once when many requests find the session ended", async () => {
  answers(
    new Response(null, { status: 401 }),
    new Response(null, { status: 401 }),
    new Response("{}"),
    new Response("{}"),
  );
  const recover = vi.fn(async () => true);
  setSessionRecovery(recover);
  await Promise.all([sessionFetch(request()), sessionFetch(request())]);
  expect(recover).toHaveBeenCalledTimes(1);
});

it("gives the 401 back when nobody signs in", async () => {
  answers(new Response(null, { status: 401 }));
  setSessionRecovery(async () => false);
  expect((await sessionFetch(request())).status).toBe(401);
});

it("takes the 401 of a sign-in as the answer that it is", async () => {
  answers(new Response(null, { status: 401 }));
  const recover = vi.fn(async () => true);
  setSessionRecovery(recover);
  await sessionFetch(request("/api/v1/login"));
  expect(recover).not.toHaveBeenCalled();
});

it("tells listeners when the server cannot be reached", async () => {
  answers(new TypeError("Failed to fetch"));
  const lost = vi.fn();
  const forget = onUnreachable(lost);
  await expect(sessionFetch(request())).rejects.toMatchObject({ code: "unreachable" });
  expect(lost).toHaveBeenCalledTimes(1);
  forget();
});

it("turns an error answer into an ApiError", async () => {
  const pending = Promise.resolve({
    error: { detail: "No.", code: "forbidden", request_id: "r" },
    response: new Response(null, { status: 403 }),
  });
  const error = await unwrap(pending).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 403, code: "forbidden", requestId: "r" });
});
