import { ModelError } from "../errors/model-error.ts";
import type { ModelServer } from "../http/model-server.ts";
import { type RequestLimits, requestJson } from "../http/request-json.ts";
import { arrayField, isRecord, stringField } from "../internal/json.ts";

/** Models that do not write text. */
const NO_CHAT_MODEL = /embed|rerank|whisper|tts|moderation/i;

/**
 * The names of the models that a server lists.
 *
 * @throws ModelError if the server does not answer with a list.
 */
export async function listModels(server: ModelServer, limits: RequestLimits): Promise<readonly string[]> {
  const answer = await requestJson(server, undefined, limits);
  const list = isRecord(answer) ? (arrayField(answer, "data") ?? arrayField(answer, "models")) : undefined;
  if (list === undefined) throw new ModelError("wrong-answer", `${server.name} returned no list of models.`);
  return list.filter(isRecord).flatMap((one) => stringField(one, "id") ?? stringField(one, "name") ?? []);
}

/**
 * The first listed model that writes text.
 *
 * @throws ModelError if there is none, or the server does not answer.
 */
export async function firstListedModel(server: ModelServer, limits: RequestLimits): Promise<string> {
  const found = (await listModels(server, limits)).find((name) => !NO_CHAT_MODEL.test(name));
  if (found === undefined) throw new ModelError("wrong-answer", `${server.name} lists no chat model.`);
  return found;
}
