import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonRecord } from "../src/flow/json";

/** A place where an answer stops until the test lets it go on. */
export interface Gate {
  /** The answer has come this far. */
  reached: Promise<void>;
  open: () => void;
}

interface HeldGate extends Gate {
  arrive: () => void;
  opened: Promise<void>;
}

export function gate(): Gate {
  let arrive = (): void => {};
  let open = (): void => {};
  const reached = new Promise<void>((done) => (arrive = done));
  const opened = new Promise<void>((done) => (open = done));
  const held: HeldGate = { reached, open: () => open(), arrive: () => arrive(), opened };
  return held;
}

/** One answer of the model. */
export interface Reply {
  /** The text in the pieces it comes in; a gate between two of them holds the rest back. */
  pieces: (string | Gate)[];
  tools: { name: string; args: unknown }[];
  /** Tokens in and out. */
  usage: readonly [number, number];
  /** Instead of all that: a status and what it says. */
  refusal?: { status: number; body: unknown };
}

const INPUT_TOKENS = 10;

function reply(pieces: (string | Gate)[], tools: Reply["tools"] = []): Reply {
  const words = pieces.filter((piece) => typeof piece === "string").length;
  return { pieces, tools, usage: [INPUT_TOKENS, words + 8 * tools.length] };
}

/** Says this; a single text comes a word at a time. */
export function says(...pieces: (string | Gate)[]): Reply {
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === "string") return reply(only.match(/\s*\S+\s*$|\s*\S+/g) ?? [only]);
  return reply(pieces);
}

/** What a request is taken for: the first thing a turn asks the model. */
export function means(intent: string, more: JsonRecord = {}): Reply {
  return reply([JSON.stringify({ translation: "", intent, ...more })]);
}

export function calls(name: string, args: unknown = {}, ...before: (string | Gate)[]): Reply {
  return reply(before, [{ name, args }]);
}

/** Writes a component. */
export function writes(code: string, ...before: (string | Gate)[]): Reply {
  return reply([...before, "Here it is:\n\n", `\`\`\`python\n${code}\n\`\`\`\n`]);
}

export function costs(answer: Reply, input: number, output: number): Reply {
  return { ...answer, usage: [input, output] };
}

export function refuses(status: number, message: string, code?: string): Reply {
  return { ...reply([]), refusal: { status, body: { error: { message, code: code ?? null } } } };
}

export function badKey(): Reply {
  return refuses(401, "Incorrect API key provided.", "invalid_api_key");
}

export function missingModel(): Reply {
  return refuses(404, "The model does not exist or you do not have access to it.", "model_not_found");
}

/** A chat request as it came in. */
export interface Asked {
  path: string;
  model: string;
  messages: { role: string; content: unknown }[];
  tools: string[];
}

export interface ModelServer {
  url: string;
  /** Host and port, as `--egress-allow` takes them. */
  address: string;
  /** The next answers, after those that wait. */
  push: (...replies: Reply[]) => void;
  /** The answer when none waits; `ok` unless told otherwise. */
  always: (answer: Reply) => void;
  /** Every chat request so far. */
  asked: () => Asked[];
  /** Answers nobody has asked for yet. */
  waiting: () => number;
  /** What everything that was asked says, as one text. */
  heard: () => string;
  stop: () => Promise<void>;
}

interface Call {
  id: string;
  name: string;
  args: unknown;
}

async function bodyOf(request: IncomingMessage): Promise<JsonRecord> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return text ? (JSON.parse(text) as JsonRecord) : {};
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Goes through the pieces, as fast as the gates let it. */
export async function play(pieces: Reply["pieces"], write: (text: string) => void): Promise<void> {
  for (const piece of pieces) {
    if (typeof piece === "string") write(piece);
    else {
      const held = piece as HeldGate;
      held.arrive();
      await held.opened;
    }
  }
}

/** OpenAI's chat completions. */
async function sendChat(response: ServerResponse, body: JsonRecord, answer: Reply, made: Call[]): Promise<void> {
  const head = { id: "chatcmpl-fake", created: 1_750_000_000, model: body.model };
  const [input, output] = answer.usage;
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  const finish = made.length > 0 ? "tool_calls" : "stop";
  const called = made.map(({ id, name, args }) => ({ id, type: "function", function: { name, arguments: JSON.stringify(args) } }));
  if (body.stream !== true) {
    const said: string[] = [];
    await play(answer.pieces, (text) => said.push(text));
    const message = { role: "assistant", content: said.join("") || null, ...(called.length > 0 ? { tool_calls: called } : {}) };
    const choice = { index: 0, message, finish_reason: finish };
    return sendJson(response, 200, { ...head, object: "chat.completion", choices: [choice], usage });
  }
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const counted = (body.stream_options as JsonRecord | undefined)?.include_usage === true;
  const frame = (choices: unknown[], tokens: unknown = null): void => {
    const chunk = { ...head, object: "chat.completion.chunk", choices, ...(counted ? { usage: tokens } : {}) };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (change: JsonRecord, end: string | null = null): void => frame([{ index: 0, delta: change, finish_reason: end }]);
  delta({ role: "assistant", content: "" });
  await play(answer.pieces, (text) => delta({ content: text }));
  for (const [index, call] of called.entries()) {
    const { name, arguments: whole } = call.function;
    delta({ tool_calls: [{ index, ...call, function: { name, arguments: "" } }] });
    // In two pieces, as real ones come in many.
    const half = Math.ceil(whole.length / 2);
    for (const piece of [whole.slice(0, half), whole.slice(half)])
      delta({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  delta({}, finish);
  if (counted) frame([], usage);
  response.end("data: [DONE]\n\n");
}

/** Ollama's chat: a JSON document a line, a call with an object and not a text. */
async function sendOllama(response: ServerResponse, body: JsonRecord, answer: Reply, made: Call[]): Promise<void> {
  const [input, output] = answer.usage;
  const line = (message: JsonRecord, more: JsonRecord = { done: false }): string =>
    `${JSON.stringify({ model: body.model, created_at: "2025-06-15T15:06:40Z", message: { role: "assistant", content: "", ...message }, ...more })}\n`;
  const called = made.map(({ name, args }) => ({ function: { name, arguments: args } }));
  const end = { done: true, done_reason: "stop", prompt_eval_count: input, eval_count: output };
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  if (body.stream === false) {
    const said: string[] = [];
    await play(answer.pieces, (text) => said.push(text));
    response.end(line({ content: said.join(""), ...(called.length > 0 ? { tool_calls: called } : {}) }, end));
    return;
  }
  await play(answer.pieces, (text) => response.write(line({ content: text })));
  for (const call of called) response.write(line({ tool_calls: [call] }));
  response.end(line({}, end));
}

const LISTED = ["gpt-4o", "gpt-4o-mini", "gpt-5.4"];

/** Which models there are; null for what is no such question. */
function listOf(path: string, body: JsonRecord): JsonRecord | null {
  if (path.endsWith("/api/tags")) return { models: [{ name: "llama3:latest", model: "llama3:latest", details: { family: "llama" } }] };
  if (path.endsWith("/api/show")) return { details: { family: String(body.model) }, capabilities: ["completion", "tools"] };
  if (path.endsWith("/models")) return { object: "list", data: LISTED.map((id) => ({ id, object: "model" })) };
  return null;
}

function askedBy(path: string, body: JsonRecord): Asked {
  const tools = (body.tools ?? []) as { function?: { name?: string } }[];
  return {
    path,
    model: String(body.model),
    messages: body.messages as Asked["messages"],
    tools: tools.flatMap((tool) => tool.function?.name ?? []),
  };
}

/** A model provider on this machine that says what the test wrote down. */
export async function startModels(): Promise<ModelServer> {
  const queue: Reply[] = [];
  const asked: Asked[] = [];
  let otherwise = says("ok");
  let turns = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "/";
    const body = await bodyOf(request);
    if (!Array.isArray(body.messages)) {
      const list = listOf(path, body);
      sendJson(response, list ? 200 : 404, list ?? { error: { message: `There is no ${path}.` } });
      return;
    }
    asked.push(askedBy(path, body));
    const answer = queue.shift() ?? otherwise;
    if (answer.refusal) {
      sendJson(response, answer.refusal.status, answer.refusal.body);
      return;
    }
    turns += 1;
    const made = answer.tools.map((call, at) => ({ ...call, id: `call_${turns}_${at}` }));
    await (path.endsWith("/api/chat") ? sendOllama : sendChat)(response, body, answer, made);
  };
  // Whoever hangs up in the middle of an answer is what some tests are about.
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${address}`,
    address,
    push: (...replies) => void queue.push(...replies),
    always: (answer) => {
      otherwise = answer;
    },
    asked: () => [...asked],
    waiting: () => queue.length,
    heard: () => JSON.stringify(asked.map(({ messages }) => messages)),
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}
