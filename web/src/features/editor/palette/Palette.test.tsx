import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "@/api/queryClient";
import { readRegistry, type Registry } from "@/flow/edit/registry";
import { Palette } from "./Palette";

const registry = readRegistry({
  input_output: {
    ChatInput: { display_name: "Chat Input", template: {}, outputs: [] },
    ChatOutput: { display_name: "Chat Output", template: {}, outputs: [] },
  },
});

beforeEach(() => void vi.stubGlobal("fetch", () => Promise.resolve(Response.json({}))));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

function palette(list: Registry | null, onAdd: (type: string) => void) {
  return (
    <QueryClientProvider client={queryClient}>
      <Palette registry={list} onAdd={onAdd} onNote={() => {}} onClose={() => {}} />
    </QueryClientProvider>
  );
}

it("adds the best match of an Enter that came before the list, once", async () => {
  const onAdd = vi.fn();
  const user = userEvent.setup();
  const { rerender } = render(palette(null, onAdd));
  await user.type(screen.getByRole("searchbox"), "chat output{Enter}");
  expect(onAdd).not.toHaveBeenCalled();
  rerender(palette(registry, onAdd));
  expect(onAdd.mock.calls).toEqual([["ChatOutput"]]);
  rerender(palette({ ...registry }, onAdd));
  expect(onAdd).toHaveBeenCalledTimes(1);
});

it("adds what each Enter was pressed for, whatever was typed after it", async () => {
  const onAdd = vi.fn();
  const user = userEvent.setup();
  const { rerender } = render(palette(null, onAdd));
  const search = screen.getByRole("searchbox");
  await user.type(search, "chat output{Enter}");
  await user.clear(search);
  await user.type(search, "chat input{Enter}");
  await user.clear(search);
  rerender(palette(registry, onAdd));
  expect(onAdd.mock.calls).toEqual([["ChatOutput"], ["ChatInput"]]);
});
