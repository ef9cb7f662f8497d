import { describe, expect, it } from "vitest";
import { ApiError, asApiError, errorFromBody, networkError } from "./error";

describe("errorFromBody", () => {
  it("reads the envelope", () => {
    const error = errorFromBody(422, {
      detail: "The name is missing.",
      code: "invalid",
      request_id: "r-1",
      errors: [{ field: "name", message: "Give it a name." }, "nonsense"],
    });
    expect(error).toMatchObject({ status: 422, code: "invalid", message: "The name is missing.", requestId: "r-1" });
    expect(error.field("name")).toBe("Give it a name.");
    expect(error.field("other")).toBeUndefined();
  });

  it("reads a detail that is an object", () => {
    const error = errorFromBody(403, { detail: { message: "Off.", auto_login: false }, code: "auto_login_disabled" });
    expect(error.message).toBe("Off.");
  });

  it.each([null, "<html>", [], 7])("survives a body that is no envelope: %j", (body) => {
    const error = errorFromBody(502, body, new Headers({ "x-request-id": "r-2", "retry-after": "7" }));
    expect(error).toMatchObject({ code: "http_502", message: "", requestId: "r-2", retryAfter: 7 });
  });
});

it("tells a server that did not answer from one that refused", () => {
  expect(networkError(new TypeError("Failed to fetch")).unreachable).toBe(true);
  expect(errorFromBody(500, null).unreachable).toBe(false);
});

it("keeps an ApiError and wraps everything else", () => {
  const error = new ApiError({ status: 404, code: "not_found", detail: "No." });
  expect(asApiError(error)).toBe(error);
  expect(asApiError(new Error("boom"))).toMatchObject({ code: "unexpected", message: "boom" });
});
