import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { assistantConfigQuery } from "@/api/assistant";
import { queryClient } from "@/api/queryClient";
import type { FlowRead } from "@/api/types";
import { createEditor } from "@/stores/editor/state";
import type { AssistantConfig, ModelChoice } from "../model/types";
import { AssistantInput } from "./AssistantInput";
import { useModelChoice, useSavedChoice } from "./useModelChoice";

const KEY = "langflow-assistant-selected-model";

beforeAll(() => Promise.all([import("@/i18n/englishOfAssistant"), import("@/fields/PopupPanel")]).then(() => undefined));
beforeEach(() => {
  localStorage.clear();
  useSavedChoice.setState({ saved: null });
  queryClient.clear();
});
afterEach(() => vi.unstubAllGlobals());

function provider(name: string, models: string[], rehearsal = false) {
  const named = models.map((model) => ({ name: model, display_name: model }));
  return { name, configured: true, default_model: models[0] ?? null, models: named, rehearsal };
}

const config: AssistantConfig = {
  enabled: true,
  configured: true,
  configured_providers: ["Acme"],
  providers: [provider("Acme", ["large", "large-mini"]), provider("Rehearsal", ["rehearsal"], true)],
  default_provider: "Acme",
  default_model: "large",
};

/** The input as the panel shows it: with the configuration that the query has. */
function show(offer: AssistantConfig | null = config, saved: ModelChoice | null = null) {
  const editor = createEditor({ id: "f", data: {}, revision: 1, locked: false, updated_at: "" } as unknown as FlowRead);
  const configure = vi.fn();
  useSavedChoice.setState({ saved });
  function Panel() {
    const { model, lost, onModel } = useModelChoice(offer);
    return (
      <AssistantInput
        disabled={false}
        busy={false}
        step={null}
        refining={false}
        draft=""
        onDraft={vi.fn()}
        onSend={vi.fn()}
        onStop={vi.fn()}
        editor={editor}
        model={model}
        onModel={onModel}
        lostModel={lost}
        config={offer}
        onConfigure={configure}
      />
    );
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Panel />
    </QueryClientProvider>,
  );
  return { configure };
}

const selector = () => screen.getByTestId("assistant-model-selector");
const weak = () => screen.queryByTestId("assistant-model-weak-hint");
const open = async () => {
  await userEvent.click(selector());
  return screen.findByRole("dialog", { name: "Model" });
};

it("shows the usual model without being asked, and keeps to it", () => {
  show();
  expect(selector()).toHaveTextContent("large");
  expect(weak()).toBeNull();
  expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toEqual({ provider: "Acme", name: "large" });
});

it("offers all models by provider and keeps the choice for the next visit", async () => {
  show();
  const popup = await open();
  expect(within(popup).getAllByRole("option").map((option) => option.textContent)).toEqual([
    expect.stringContaining("large"),
    expect.stringContaining("Small or older"),
    expect.stringContaining("Not an AI"),
  ]);
  await userEvent.click(within(popup).getByRole("option", { name: /large-mini/ }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(selector()).toHaveTextContent("large-mini");
  expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toEqual({ provider: "Acme", name: "large-mini" });
});

it("hints that a small model may not be enough", () => {
  show(config, { provider: "Acme", name: "large-mini" });
  expect(weak()).toHaveAccessibleName(/large-mini is a small or older model/);
});

it("says of the rehearsal that it is not an AI", () => {
  show(config, { provider: "Rehearsal", name: "rehearsal" });
  expect(selector()).toHaveTextContent("Not an AI");
  expect(weak()).toBeNull();
});

it("says when the chosen model is gone, until that is taken note of", async () => {
  show(config, { provider: "Acme", name: "older" });
  expect(screen.getByText("older is no longer available. large answers instead.")).toBeVisible();
  expect(selector()).toHaveTextContent("large");
  await userEvent.click(screen.getByRole("button", { name: "Keep this model" }));
  expect(screen.queryByText(/no longer available/)).toBeNull();
  expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toEqual({ provider: "Acme", name: "large" });
});

it("asks for a choice where there is only the rehearsal", () => {
  show({ ...config, configured: false, configured_providers: [], providers: config.providers.slice(1) });
  expect(selector()).toHaveTextContent("Choose a model");
});

it("leads to where a provider is set up", async () => {
  const shown = show();
  await open();
  await userEvent.click(screen.getByTestId("assistant-manage-model-providers"));
  expect(shown.configure).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("asks the server anew for the list", async () => {
  const fetched = vi.fn(async () => Response.json(config));
  vi.stubGlobal("fetch", fetched);
  await queryClient.fetchQuery(assistantConfigQuery);
  show();
  await open();
  await userEvent.click(screen.getByTestId("assistant-refresh-model-list"));
  await waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
  await waitFor(() => expect(screen.getByTestId("assistant-refresh-model-list")).toHaveTextContent("Refresh the list"));
});

it("works without a browser that keeps anything", async () => {
  const refuse = (): never => {
    throw new DOMException("no", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse, clear: refuse });
  show();
  const popup = await open();
  await userEvent.click(within(popup).getByRole("option", { name: /large-mini/ }));
  expect(selector()).toHaveTextContent("large-mini");
});
