import { isRecord, type JsonRecord, parseJsonYielding, yieldToEventLoop } from "throughline/internal/util";
import type { Upstream } from "./upstream/upstream.ts";
import { wireProblem } from "./wire-problem.ts";

/** The body to forward, and its parsed content if it is valid. */
export interface SentBody {
  readonly bytes: ArrayBuffer | string;
  readonly json?: { readonly text: string; readonly body: JsonRecord };
}

/**
 * Reads a request. If it names no model, the offered one is added; otherwise the body stays unchanged. `named` is the
 * model in the path. Other tasks can run while a long body is parsed.
 */
export async function readRequest(
  bytes: ArrayBuffer,
  { family, model }: Upstream,
  named?: string,
): Promise<SentBody | Response> {
  await yieldToEventLoop();
  const text = new TextDecoder().decode(bytes);
  await yieldToEventLoop();
  const body = await parseJsonYielding(text).catch(() => undefined);
  const json = isRecord(body) ? { text, body } : undefined;
  if (named !== undefined && model !== undefined && named !== model) return modelNotOffered(family, model);
  if (model === undefined || named !== undefined || (json !== undefined && json.body.model === model)) {
    return json === undefined ? { bytes } : { bytes, json };
  }
  if (json === undefined) return wireProblem(family, 400, "bad-request", "The body is not a JSON object.");
  if (json.body.model !== undefined) return modelNotOffered(family, model);
  const withModel = { ...json.body, model };
  const written = JSON.stringify(withModel);
  return { bytes: written, json: { text: written, body: withModel } };
}

export function modelNotOffered(family: Upstream["family"], model: string): Response {
  return wireProblem(family, 404, "model-not-offered", `This server offers only the model ${model}.`);
}
