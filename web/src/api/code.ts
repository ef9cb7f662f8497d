import { type CodeCheck, readCheck } from "@/flow/codeProblems";
import { isRecord, type JsonRecord } from "@/flow/json";
import { client, unwrap } from "./client";
import { ApiError } from "./error";

/** What is wrong with code; nothing of it runs. */
export async function checkCode(code: string, signal?: AbortSignal): Promise<CodeCheck> {
  return readCheck(await unwrap(client.POST("/api/v1/validate/code", { body: { code }, ...(signal ? { signal } : {}) })));
}

export interface MadeComponent {
  type: string;
  /** What a node of it has as `data.node`. */
  component: JsonRecord;
}

/** The component that code makes, from an instance of its class in the sandbox. */
export async function makeComponent(code: string, node?: JsonRecord, signal?: AbortSignal): Promise<MadeComponent> {
  const { data, type } = await unwrap(
    client.POST("/api/v1/custom_component", {
      body: { code, ...(node ? { frontend_node: node } : {}) },
      ...(signal ? { signal } : {}),
    }),
  );
  if (!isRecord(data.template))
    throw new ApiError({ status: -1, code: "unexpected", detail: "The answer holds no component." });
  return { type, component: data };
}
