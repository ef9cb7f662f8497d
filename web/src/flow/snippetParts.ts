import { jsString, pythonString } from "./literals";

interface Shape {
  door: "run" | "workflows" | "webhook";
  stream: boolean;
}

const lines = (...text: string[]): string => text.join("\n");

export function pythonUpload(base: string, name: string): string {
  return lines(
    "def upload(name):",
    '    """Sends a file; answers with the path by which the flow knows it."""',
    "    boundary = uuid.uuid4().hex",
    '    with open(name, "rb") as file:',
    "        content = file.read()",
    "    head = (",
    `        f"--{boundary}\\r\\n"`,
    `        f'content-disposition: form-data; name="file"; filename="{os.path.basename(name)}"\\r\\n'`,
    `        "content-type: application/octet-stream\\r\\n\\r\\n"`,
    "    )",
    "    request = urllib.request.Request(",
    `        ${pythonString(`${base}/api/v2/files`)},`,
    `        data=head.encode() + content + f"\\r\\n--{boundary}--\\r\\n".encode(),`,
    `        headers={"content-type": f"multipart/form-data; boundary={boundary}", "x-api-key": api_key},`,
    "    )",
    "    with urllib.request.urlopen(request) as response:",
    '        return json.load(response)["path"]',
    "",
    "",
    `file_path = upload(${pythonString(name)})`,
  );
}

export function javascriptUpload(base: string, name: string): string {
  return lines(
    `const fileName = ${jsString(name)};`,
    "const form = new FormData();",
    'form.append("file", new Blob([await readFile(fileName)]), fileName.split(/[\\\\/]/).pop());',
    `const upload = await fetch(${jsString(`${base}/api/v2/files`)}, {`,
    '  method: "POST",',
    '  headers: { "x-api-key": apiKey },',
    "  body: form,",
    "});",
    "if (!upload.ok) throw new Error(await upload.text());",
    "const filePath = (await upload.json()).path;",
  );
}

function pythonSend(...use: string[]): string {
  return lines(
    "try:",
    "    with urllib.request.urlopen(request) as response:",
    ...use.map((line) => `        ${line}`),
    "except urllib.error.HTTPError as error:",
    "    raise SystemExit(error.read().decode())",
  );
}

const PYTHON_RESULTS = [
  'for result in answer["outputs"][0]["outputs"]:',
  '    for output in result["outputs"].values():',
  '        print(output["message"])',
];

export function pythonAnswer({ door, stream }: Shape): string {
  if (door === "webhook") return pythonSend("print(response.read().decode())");
  if (!stream && door === "run") return lines(pythonSend("answer = json.load(response)"), "", ...PYTHON_RESULTS);
  if (!stream) {
    return lines(
      pythonSend("answer = json.load(response)"),
      "",
      'if answer["has_errors"]:',
      '    raise SystemExit(json.dumps(answer["errors"], indent=2))',
      'for output in answer["outputs"].values():',
      '    print(output["content"])',
    );
  }
  const others =
    door === "run"
      ? [
          '    elif event["event"] == "end" and not streamed:',
          '        answer = event["data"]["result"]',
          ...PYTHON_RESULTS.map((line) => `        ${line}`),
        ]
      : ['    elif event["event"] == "output" and not streamed:', '        print(event["data"]["content"])'];
  return lines(
    "streamed = False",
    pythonSend(
      "for line in response:",
      ...(door === "run"
        ? ["    if not line.strip():", "        continue", "    event = json.loads(line)"]
        : ['    if not line.startswith(b"data:"):', "        continue", "    event = json.loads(line[5:])"]),
      '    if event["event"] == "token":',
      "        streamed = True",
      '        print(event["data"]["chunk"], end="", flush=True)',
      '    elif event["event"] == "error":',
      '        raise SystemExit(json.dumps(event["data"]))',
      ...others,
    ),
    "if streamed:",
    "    print()",
  );
}

const JS_RESULTS = [
  "for (const result of answer.outputs[0].outputs) {",
  "  for (const output of Object.values(result.outputs)) console.log(output.message);",
  "}",
];

export function javascriptAnswer({ door, stream }: Shape): string {
  if (door === "webhook") return "console.log(await response.text());";
  if (!stream && door === "run") return lines("const answer = await response.json();", ...JS_RESULTS);
  if (!stream) {
    return lines(
      "const answer = await response.json();",
      "if (answer.has_errors) throw new Error(JSON.stringify(answer.errors));",
      "for (const output of Object.values(answer.outputs)) console.log(output.content);",
    );
  }
  const others =
    door === "run"
      ? [
          '    } else if (event === "end" && !streamed) {',
          "      const answer = data.result;",
          ...JS_RESULTS.map((line) => `      ${line}`),
        ]
      : ['    } else if (event === "output" && !streamed) {', "      console.log(data.content);"];
  return lines(
    "let rest = \"\";",
    "let streamed = false;",
    "for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {",
    '  const whole = (rest + piece).split("\\n");',
    "  rest = whole.pop();",
    "  for (const line of whole) {",
    door === "run" ? "    if (!line.trim()) continue;" : '    if (!line.startsWith("data:")) continue;',
    `    const { event, data } = JSON.parse(line${door === "run" ? "" : ".slice(5)"});`,
    '    if (event === "token") {',
    "      streamed = true;",
    "      process.stdout.write(data.chunk);",
    '    } else if (event === "error") {',
    "      throw new Error(JSON.stringify(data));",
    ...others,
    "    }",
    "  }",
    "}",
    "if (streamed) console.log();",
  );
}
