import { describe, expect, it } from "vitest";
import type { AssistantConfig } from "../model/types";
import { isWeak, offeredModels, parseChoice, pickModel } from "./models";

function config(init: Partial<AssistantConfig> = {}): AssistantConfig {
  const provider = (name: string, models: string[], rehearsal = false) => ({
    name,
    configured: true,
    default_model: models[0] ?? null,
    models: models.map((model) => ({ name: model, display_name: model })),
    rehearsal,
  });
  return {
    enabled: true,
    configured: true,
    configured_providers: ["Acme", "Bell"],
    providers: [provider("Acme", ["large", "medium"]), provider("Bell", ["ring"]), provider("Rehearsal", ["rehearsal"], true)],
    default_provider: "Bell",
    default_model: "ring",
    ...init,
  };
}

const rehearsal = { provider: "Rehearsal", name: "rehearsal" };

describe("the model that is asked", () => {
  it("is the person's while it is offered", () => {
    const saved = { provider: "Acme", name: "medium" };
    expect(pickModel(config(), saved)).toEqual({ model: saved, lost: null });
  });

  it("is the server's where nobody chose, and else the first", () => {
    expect(pickModel(config(), null)).toEqual({ model: { provider: "Bell", name: "ring" }, lost: null });
    expect(pickModel(config({ default_provider: null, default_model: null }), null).model).toEqual({ provider: "Acme", name: "large" });
  });

  it("falls back with a word about the one that is gone", () => {
    const saved = { provider: "Acme", name: "gone" };
    expect(pickModel(config(), saved)).toEqual({ model: { provider: "Bell", name: "ring" }, lost: saved });
  });

  it("is the rehearsal only for who wanted it", () => {
    const alone = config({
      configured: false,
      providers: config().providers.filter((one) => one.rehearsal),
      default_provider: "Rehearsal",
      default_model: "rehearsal",
    });
    expect(pickModel(alone, null).model).toBeNull();
    expect(pickModel(alone, rehearsal).model).toEqual(rehearsal);
    expect(pickModel(config(), rehearsal).model).toEqual(rehearsal);
  });

  it("is nobody while it is not known who is there, and nothing is lost then", () => {
    expect(pickModel(null, rehearsal)).toEqual({ model: null, lost: null });
  });

  it("is never one of a provider that is not set up", () => {
    const [first] = config().providers;
    const broken = config({ providers: first ? [{ ...first, configured: false }] : [] });
    expect(offeredModels(broken)).toEqual([]);
  });
});

it.each([null, "", "{", "[]", "7", '{"provider":"A"}', '{"provider":"A","name":3}', '{"provider":"","name":""}'])(
  "a kept choice of %s counts as none",
  (kept) => {
    expect(parseChoice(kept)).toBeNull();
  },
);

it("a kept choice is read", () => {
  expect(parseChoice('{"provider":"A","name":"b","more":1}')).toEqual({ provider: "A", name: "b" });
});

describe("a model is weak by its name", () => {
  it.each(
    ("gpt-4o-mini gpt-5-nano o4-mini gemini-2.5-flash claude-3-5-haiku-latest mistral-small-latest gemini-2.0-flash-lite gpt-3.5-turbo " +
      "claude-2.1 llama-3.1-8b-instant qwen2.5:7b meta-llama/Llama-2-70b-chat-hf gpt-oss-120b openai/gpt-oss-20b phi-4-mini gemma-2-9b-it").split(" "),
  )("%s", (name) => {
    expect(isWeak({ provider: "Any", name })).toBe(true);
  });

  it.each(
    ("gpt-5.4 gemini-2.5-pro claude-opus-4 claude-sonnet-4-5 mistral-large-latest llama-3.3-70b-versatile mixtral-8x7b-32768 " +
      "qwen3-235b-a22b deepseek-chat o3 grok-4 minimax-m2 rehearsal").split(" "),
  )("not %s", (name) => {
    expect(isWeak({ provider: "Any", name })).toBe(false);
  });

  it("and on the person's own machine when it does not say its size", () => {
    expect(isWeak({ provider: "Ollama", name: "llama3:latest" })).toBe(true);
    expect(isWeak({ provider: "Ollama", name: "llama3.3:70b" })).toBe(false);
    expect(isWeak({ provider: "Ollama", name: "deepseek-v3.1:671b-cloud" })).toBe(false);
  });
});
