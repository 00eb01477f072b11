import { omitUndefined } from "../../message/read-json.ts";
import type { UpstreamModel } from "../../server/server.ts";
import { UsageError } from "../usage-error.ts";

/** The model that the server is to offer, if the environment names one. What is set to nothing is not set. */
export function modelFromEnvironment(env: Readonly<Record<string, string | undefined>>): { model?: UpstreamModel } {
  const read = (name: string) => env[name]?.trim() || undefined;
  const url = read("THROUGHLINE_MODEL_URL");
  const [key, model] = [read("THROUGHLINE_MODEL_KEY"), read("THROUGHLINE_MODEL")];
  if (url !== undefined) return { model: omitUndefined({ url, key, model }) };
  if (key === undefined && model === undefined) return {};
  const given = key === undefined ? "THROUGHLINE_MODEL" : "THROUGHLINE_MODEL_KEY";
  throw new UsageError(`${given} is set, but THROUGHLINE_MODEL_URL is not.`, "Set it too, or take the other away.");
}
