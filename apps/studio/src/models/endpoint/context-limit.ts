import { getModelLimits } from "throughline";
import type { ChatModel } from "../chat-model.ts";

/** Context limit that nearly every model has. */
const DEFAULT_CONTEXT_LIMIT = 8_192;

/** How much a model takes: as the person or the endpoint says, as the registry knows, or what nearly every model does. */
export function contextLimitOf(modelId: string, place: ChatModel["place"], said?: number): number {
  if (said !== undefined) return said;
  // A program on the device mostly gives a model less chat than it was made for, and cuts the rest off without a word.
  if (place === "device") return DEFAULT_CONTEXT_LIMIT;
  const { contextLimit, source } = getModelLimits(modelId);
  return source === "default" ? DEFAULT_CONTEXT_LIMIT : contextLimit;
}
