import { LangflowClient } from "@datastax/langflow-client";
import { LangflowError } from "@datastax/langflow-client/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "./harness";

/** Langflow's own client, from npm, unchanged: what it does with Langflow it does with Ferroflow. */
interface Example {
  name: string;
  data: { nodes: { id: string; data: { type: string } }[] };
}

let server: TestServer;
let client: LangflowClient;
let echo: { id: string; output: string };

beforeAll(async () => {
  server = await startServer();
  const examples = (await server.call("GET", "/api/v1/flows/basic_examples/")) as Example[];
  const example = examples.find((flow) => flow.name === "Echo");
  if (!example) throw new Error(`No Echo among ${examples.map((flow) => flow.name).join(", ")}`);
  const made = (await server.call("POST", "/api/v1/flows/", { name: "Echo", data: example.data, endpoint_name: "echo" })) as {
    id: string;
  };
  const output = example.data.nodes.find((node) => node.data.type === "ChatOutput");
  if (!output) throw new Error("Echo has no Chat Output");
  echo = { id: made.id, output: output.id };
  const key = (await server.call("POST", "/api/v1/api_key/", { name: "client" })) as { api_key: string };
  client = new LangflowClient({ baseUrl: server.url, apiKey: key.api_key });
});

afterAll(() => server.stop());

test("a plain run answers with the flow's text", async () => {
  const response = await client.flow(echo.id).run("Hello from the client");
  expect(response.chatOutputText()).toBe("Hello from the client");
  expect(response.sessionId).toBe(echo.id);
});

test("a flow is known by its endpoint name too", async () => {
  expect((await client.flow("echo").run("by name")).chatOutputText()).toBe("by name");
});

test("a stream brings messages and ends with the result", async () => {
  const seen: string[] = [];
  let text: unknown;
  const reader = (await client.flow(echo.id).stream("streamed")).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const event = read.value;
    seen.push(event.event);
    if (event.event === "end") text = JSON.stringify(event.data.result);
  }
  expect(seen).toEqual(["add_message", "add_message", "end"]);
  expect(text).toContain('"message":"streamed"');
});

test("sessions keep their messages apart", async () => {
  await client.flow(echo.id).run("one", { session_id: "first" });
  const second = await client.flow(echo.id).run("two", { session_id: "second" });
  expect(second.sessionId).toBe("second");
  const path = `/api/v1/monitor/messages?flow_id=${echo.id}&session_id=first`;
  const messages = (await server.call("GET", path)) as { text: string; sender: string }[];
  expect(messages.map(({ sender, text }) => [sender, text])).toEqual([
    ["User", "one"],
    ["Machine", "one"],
  ]);
});

test("tweaks change one run only", async () => {
  const tweaked = client.flow(echo.id).tweak(echo.output, { sender_name: "Parrot" });
  const response = await tweaked.run("who?", { session_id: "tweaked" });
  expect(response.outputs[0]?.outputs[0].messages[0].sender_name).toBe("Parrot");
  const plain = await client.flow(echo.id).run("who?", { session_id: "tweaked" });
  expect(plain.outputs[0]?.outputs[0].messages[0].sender_name).toBe("AI");
});

test("files are uploaded, listed and sent with a run", async () => {
  const file = new File(["a,b\n1,2\n"], "table.csv", { type: "text/csv" });
  const uploaded = await client.files.upload(file);
  expect(uploaded.name).toBe("table.csv");
  expect((await client.files.list()).map(({ id }) => id)).toContain(uploaded.id);
  const forFlow = await client.flow(echo.id).uploadFile(file);
  expect(forFlow.flowId).toBe(echo.id);
  const input = Object.fromEntries([["ChatInput", { files: forFlow.filePath }]]);
  const response = await client.flow(echo.id).run("see the file", { tweaks: input });
  expect(response.chatOutputText()).toBe("see the file");
});

test("an unknown flow is an error the client understands", async () => {
  const failed = client.flow("no-such-flow").run("anyone?");
  await expect(failed).rejects.toBeInstanceOf(LangflowError);
  await expect(failed).rejects.toThrow("404");
});
