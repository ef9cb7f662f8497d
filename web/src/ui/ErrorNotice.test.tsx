import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ApiError, networkError } from "@/api/error";
import { ErrorNotice } from "./ErrorNotice";

it("says what happened, what to do, and the request id behind a fold", () => {
  const error = new ApiError({ status: 403, code: "locked", detail: "The flow is locked.", requestId: "r-42" });
  render(<ErrorNotice error={error} />);
  expect(screen.getByRole("alert")).toHaveTextContent("The flow is locked. ".trim());
  expect(screen.getByText("Unlock the flow first, then try again.")).toBeInTheDocument();
  expect(screen.getByText("r-42").closest("details")).not.toHaveAttribute("open");
});

it("does not show the words of a failed fetch as the sentence", () => {
  render(<ErrorNotice error={networkError(new TypeError("Failed to fetch"))} />);
  expect(screen.getByText("The server did not answer.")).toBeInTheDocument();
});

it("counts the seconds when the server says how long to wait", () => {
  const error = new ApiError({ status: 429, code: "throttled", detail: "Too many tries.", retryAfter: 30 });
  render(<ErrorNotice error={error} />);
  expect(screen.getByText("Wait 30 seconds, then try again.")).toBeInTheDocument();
});
