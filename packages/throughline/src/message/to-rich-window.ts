import { InvalidMessageError } from "../errors/input-errors.ts";
import { isRecord, type JsonRecord } from "../internal/json.ts";
import { type ForeignModelMessage, readModelMessage } from "./convert/ai-sdk.ts";
import { completeMessage, freeIds, type Message } from "./message.ts";

/** Fields and types of parts that only the messages of other APIs have, with the function that converts these. */
const OTHER_FORMATS: readonly { readonly api: string; readonly signs: readonly string[]; readonly convert: string }[] =
  [
    {
      api: "OpenAI chat",
      signs: ["tool_calls", "tool_call_id", "function_call", "image_url"],
      convert: "convertChatToRich",
    },
    { api: "OpenAI responses", signs: ["input_text", "output_text", "input_image"], convert: "convertResponsesToRich" },
    { api: "Anthropic", signs: ["tool_use", "tool_result", "thinking"], convert: "convertAnthropicToRich" },
  ];

/**
 * Converts AI SDK messages and gives them unique ids. Throughline messages are returned as they are.
 *
 * @throws InvalidMessageError if a message is in the format of another API: read as one of the AI SDK, it would lose its
 *   calls, and outputs of tools would become words of the user.
 */
export function toRichWindow(messages: readonly (Message | ForeignModelMessage)[]): readonly Message[] {
  if (!Array.isArray(messages))
    throw new InvalidMessageError({ message: 0 }, "expected a list of messages", "Pass an array of messages.");
  // Array.from visits the holes of a sparse array; a check with every() would skip them.
  const list = Array.from<unknown>(messages);
  if (list.every(isOwn)) return messages as readonly Message[];
  const freeId = freeIds(list.filter(isOwn).map(({ id }) => id));
  const provided = new Set<string>();
  return list.map((message, index) => {
    if (isOwn(message)) return message;
    if (!isRecord(message)) throw new InvalidMessageError({ message: index }, "expected an object");
    refuseOtherFormats(message, index);
    const draft = readModelMessage(message, index, provided);
    return completeMessage({ provenance: { format: "ai-sdk" }, ...draft }, index, {
      messageId: (at) => freeId(`m${at}`),
    });
  });
}

function isOwn(message: unknown): message is Message {
  return isRecord(message) && Array.isArray(message.parts);
}

function refuseOtherFormats(message: JsonRecord, index: number): void {
  const parts = Array.isArray(message.content) ? message.content : [];
  const types = new Set(parts.flatMap((part) => (isRecord(part) ? [part.type] : [])));
  for (const { api, signs, convert } of OTHER_FORMATS) {
    const sign = signs.find((one) => message[one] !== undefined || types.has(one));
    if (sign === undefined) continue;
    throw new InvalidMessageError(
      { message: index },
      `${sign} belongs to a message of the ${api} API, and AI SDK messages are expected`,
      `Convert the messages first, with ${convert} from "throughline/messages".`,
    );
  }
}
