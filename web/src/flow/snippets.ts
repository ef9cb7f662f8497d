import type { FilePlace, Tweaks } from "./callInputs";
import { isRecord } from "./json";
import { FILE_SLOT, JAVASCRIPT, json, jsString, literal, PYTHON, pythonString, shellWord } from "./literals";
import { javascriptAnswer, javascriptUpload, pythonAnswer, pythonUpload } from "./snippetParts";

export type SnippetLanguage = "curl" | "python" | "javascript" | "client";
export type Door = "run" | "workflows" | "webhook";

/** The environment variable that every snippet takes the API key from. */
export const KEY_VARIABLE = "FERROFLOW_API_KEY";

export interface Call {
  door: Door;
  /** Where the server is, without a slash at the end. */
  base: string;
  flowId: string;
  endpoint: string | null;
  /** What is said; null where the flow has nothing to say it to. For a webhook, the whole body. */
  input: string | null;
  session: string;
  tweaks: Tweaks;
  file: { name: string; place: FilePlace } | null;
  stream: boolean;
}

export function snippet(language: SnippetLanguage, call: Call): string {
  switch (language) {
    case "curl":
      return curl(call);
    case "python":
      return python(call);
    case "javascript":
      return javascript(call);
    case "client":
      return client(call);
  }
}

/** Langflow's client knows only the door `run`. */
export function hasSnippet(language: SnippetLanguage, door: Door): boolean {
  return language !== "client" || door === "run";
}

function addressOf(call: Call): string {
  const name = encodeURIComponent(call.endpoint ?? call.flowId);
  if (call.door === "workflows") return `${call.base}/api/v2/workflows`;
  if (call.door === "webhook") return `${call.base}/api/v1/webhook/${name}`;
  return `${call.base}/api/v1/run/${name}${call.stream ? "?stream=true" : ""}`;
}

function bodyOf(call: Call): Record<string, unknown> {
  const { door, file } = call;
  const path = fileTweak(call, false);
  const tweaks = path ? withTweak(call.tweaks, path) : call.tweaks;
  return {
    ...(door === "workflows" ? { flow_id: call.flowId } : {}),
    ...(call.input === null ? {} : { input_value: call.input }),
    ...(call.session === "" ? {} : { session_id: call.session }),
    ...(door === "workflows" && call.stream ? { mode: "stream" } : {}),
    ...(file?.place.withMessage ? { files: [FILE_SLOT] } : {}),
    ...(Object.keys(tweaks).length > 0 ? { tweaks } : {}),
  };
}

interface FileTweak {
  node: string;
  field: string;
  value: unknown;
}

function fileTweak({ file }: Call, messagesToo: boolean): FileTweak | null {
  if (!file || (file.place.withMessage && !messagesToo)) return null;
  const { node, field, list } = file.place;
  return { node, field, value: list ? [FILE_SLOT] : FILE_SLOT };
}

function withTweak(tweaks: Tweaks, { node, field, value }: FileTweak): Tweaks {
  return { ...tweaks, [node]: { ...tweaks[node], [field]: value } };
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

const payloadType = (payload: string): string => (isJson(payload) ? "application/json" : "text/plain");

/** A word that does not occur in `content`. */
function unused(word: string, content: string): string {
  let free = word;
  while (content.includes(free)) free += "_";
  return free;
}

// The body goes through a quoted here-document: the shell reads nothing in it, so nothing in it needs escaping.
function curl(call: Call): string {
  const webhook = call.door === "webhook";
  const plain = webhook ? (call.input ?? "") : literal(bodyOf(call), json(""));
  const slot = unused("FILE_PATH", plain);
  const body = webhook ? plain : literal(bodyOf(call), json(slot));
  const end = unused("BODY", body);
  const type = webhook ? payloadType(body) : "application/json";
  const send = [
    `curl -sS --fail-with-body${call.stream && !webhook ? " -N" : ""} ${shellWord(addressOf(call))}`,
    `  -H ${shellWord(`content-type: ${type}`)}`,
    `  -H "x-api-key: $${KEY_VARIABLE}"`,
    `  --data-binary @-`,
  ].join(" \\\n");
  if (!call.file || webhook) return `${send} <<'${end}'\n${body}\n${end}\n`;
  const upload = [
    `file_path=$(curl -sS --fail-with-body ${shellWord(`${call.base}/api/v2/files`)}`,
    `  -H "x-api-key: $${KEY_VARIABLE}"`,
    `  -F ${shellWord(`file=@"${call.file.name.replace(/["\\]/g, "\\$&")}"`)} | sed -n 's/.*"path":"\\([^"]*\\)".*/\\1/p')`,
  ].join(" \\\n");
  return `${upload}\n\nsed "s|${slot}|$file_path|" <<'${end}' | ${send}\n${body}\n${end}\n`;
}

function python(call: Call): string {
  const webhook = call.door === "webhook";
  const type = webhook ? payloadType(call.input ?? "") : "application/json";
  const data = webhook ? `${pythonString(call.input ?? "")}.encode()` : "json.dumps(body).encode()";
  const parts = [
    ["import json", "import os", "import urllib.error", "import urllib.request", ...(call.file && !webhook ? ["import uuid"] : [])].join("\n"),
    `api_key = os.environ[${pythonString(KEY_VARIABLE)}]`,
    ...(call.file && !webhook ? [pythonUpload(call.base, call.file.name)] : []),
    ...(webhook ? [] : [`body = ${literal(bodyOf(call), PYTHON, "    ")}`]),
    [
      "request = urllib.request.Request(",
      `    ${pythonString(addressOf(call))},`,
      `    data=${data},`,
      `    headers={"content-type": ${pythonString(type)}, "x-api-key": api_key},`,
      ")",
    ].join("\n"),
    pythonAnswer(call),
  ];
  return `${parts.join("\n\n")}\n`;
}

function javascript(call: Call): string {
  const webhook = call.door === "webhook";
  const type = webhook ? payloadType(call.input ?? "") : "application/json";
  const file = webhook ? null : call.file;
  const parts = [
    ...(file ? ['import { readFile } from "node:fs/promises";'] : []),
    `const apiKey = process.env.${KEY_VARIABLE};`,
    ...(file ? [javascriptUpload(call.base, file.name)] : []),
    ...(webhook ? [] : [`const body = ${literal(bodyOf(call), JAVASCRIPT)};`]),
    [
      `const response = await fetch(${jsString(addressOf(call))}, {`,
      '  method: "POST",',
      `  headers: { "content-type": ${jsString(type)}, "x-api-key": apiKey },`,
      `  body: ${webhook ? jsString(call.input ?? "") : "JSON.stringify(body)"},`,
      "});",
      "if (!response.ok) throw new Error(await response.text());",
    ].join("\n"),
    javascriptAnswer(call),
  ];
  return `${parts.join("\n\n")}\n`;
}

function client(call: Call): string {
  const path = fileTweak(call, true);
  const tweaks = path ? withTweak(call.tweaks, path) : call.tweaks;
  const options = {
    ...(call.session === "" ? {} : { session_id: call.session }),
    ...(Object.keys(tweaks).length > 0 ? { tweaks } : {}),
  };
  const given = [jsString(call.input ?? ""), ...(Object.keys(options).length > 0 ? [literal(options, JAVASCRIPT)] : [])];
  const flow = `client.flow(${jsString(call.endpoint ?? call.flowId)})`;
  const parts = [
    [
      ...(call.file ? ['import { readFile } from "node:fs/promises";'] : []),
      'import { LangflowClient } from "@datastax/langflow-client";',
    ].join("\n"),
    [
      "const client = new LangflowClient({",
      `  baseUrl: ${jsString(call.base)},`,
      `  apiKey: process.env.${KEY_VARIABLE},`,
      "});",
    ].join("\n"),
    ...(call.file
      ? [
          [
            `const fileName = ${jsString(call.file.name)};`,
            "const file = new File([await readFile(fileName)], fileName.split(/[\\\\/]/).pop());",
            "const filePath = (await client.files.upload(file)).path;",
          ].join("\n"),
        ]
      : []),
    call.stream
      ? [
          `const stream = await ${flow}.stream(${given.join(", ")});`,
          "let streamed = false;",
          "for await (const { event, data } of stream) {",
          '  if (event === "token") {',
          "    streamed = true;",
          "    process.stdout.write(data.chunk);",
          '  } else if (event === "error") {',
          "    throw new Error(JSON.stringify(data));",
          '  } else if (event === "end") {',
          '    console.log(streamed ? "" : data.result.outputs[0].outputs[0].outputs.message.message);',
          "  }",
          "}",
        ].join("\n")
      : [`const response = await ${flow}.run(${given.join(", ")});`, "console.log(response.chatOutputText());"].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Whether anything in a call's tweaks has to be filled in by the caller: a masked secret cannot be sent. */
export function hasMasked(tweaks: unknown, mask: string): boolean {
  if (typeof tweaks === "string") return tweaks === mask;
  if (Array.isArray(tweaks)) return tweaks.some((item) => hasMasked(item, mask));
  return isRecord(tweaks) && Object.values(tweaks).some((item) => hasMasked(item, mask));
}
