import { getModelLimits } from "throughline";
import type { ChatModel } from "../chat-model.ts";

/** Context limit that nearly every model supports. */
const DEFAULT_CONTEXT_LIMIT = 8_192;

/**
 * Context limit of a model, from the person, the endpoint or the registry; otherwise a value that nearly every model
 * supports.
 */
export function contextLimitOf(modelId: string, place: ChatModel["place"], said?: number): number {
  if (said !== undefined) return said;
  // Local programs often give a model a smaller context than it supports, and truncate without an error.
  if (place === "device") return DEFAULT_CONTEXT_LIMIT;
  const { contextLimit, source } = getModelLimits(modelId);
  return source === "default" ? DEFAULT_CONTEXT_LIMIT : contextLimit;
}
