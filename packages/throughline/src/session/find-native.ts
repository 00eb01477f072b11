import { isRecord } from "../internal/json.ts";
import { writePart } from "../message/convert/ai-sdk-parts.ts";
import type { Message } from "../message/message.ts";
import type { OpaquePart, Part } from "../message/part.ts";

/**
 * The last thing that a provider itself put in the place of what came before, where there is one. It has to be given back
 * as it came: the model reads from there.
 */
export function findNative(messages: readonly Message[]): OpaquePart["value"] | undefined {
  const found = messages.flatMap(({ parts }) => parts).findLast(isNative);
  return found && (found.type === "opaque" ? found.value : writePart(found, true));
}

/** OpenAI has a kind of part of its own for it, Anthropic says it of a text. */
function isNative(part: Part): boolean {
  if (part.type === "text") return says(part.providerOptions);
  if (part.type !== "opaque" || part.format !== "ai-sdk" || !isRecord(part.value)) return false;
  const { kind, providerOptions } = part.value;
  return (typeof kind === "string" && kind.endsWith(".compaction")) || says(providerOptions);
}

function says(options: unknown): boolean {
  return isRecord(options) && Object.values(options).some((one) => isRecord(one) && one.type === "compaction");
}
