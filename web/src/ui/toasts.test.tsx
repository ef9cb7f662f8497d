import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Toaster } from "./Toaster";
import { showToast, useToasts } from "./toasts";

beforeEach(() => useToasts.setState({ toasts: [] }));
afterEach(() => vi.useRealTimers());

it("shows at most three, the newest ones", () => {
  render(<Toaster />);
  act(() => {
    for (const message of ["one", "two", "three", "four"]) showToast({ message });
  });
  expect(screen.queryByText("one")).toBeNull();
  expect(screen.getByText("four")).toBeInTheDocument();
  expect(useToasts.getState().toasts).toHaveLength(3);
});

it("is announced politely, errors at once", () => {
  render(<Toaster />);
  expect(screen.getByRole("region", { name: "Notifications" })).toHaveAttribute("aria-live", "polite");
  act(() => void showToast({ message: "broken", tone: "error" }));
  expect(screen.getByRole("alert")).toHaveTextContent("broken");
});

it("runs Undo once and goes away", async () => {
  const undo = vi.fn();
  render(<Toaster />);
  act(() => void showToast({ message: "Deleted.", action: { label: "Undo", run: undo } }));
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(screen.queryByText("Deleted.")).toBeNull();
});

it("goes away by itself, but not while the focus is in it", () => {
  vi.useFakeTimers();
  render(<Toaster />);
  act(() => void showToast({ message: "Saved.", duration: 5000 }));
  act(() => screen.getByRole("button", { name: "Dismiss" }).focus());
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText("Saved.")).toBeInTheDocument();
  act(() => screen.getByRole("button", { name: "Dismiss" }).blur());
  act(() => void vi.advanceTimersByTime(6000));
  expect(screen.queryByText("Saved.")).toBeNull();
});
