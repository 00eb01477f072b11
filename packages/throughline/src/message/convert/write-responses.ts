import type { Message } from "../message.ts";
import type { Part, ReasoningPart, ToolCallPart, ToolResultPart } from "../part.ts";
import { isRecord, type JsonRecord, omitUndefined } from "../read-json.ts";
import { type ToolOutput, toolOutputText } from "../tool-output.ts";
import { fieldsFor, formFor, lossOf, providerOption, type ToForeignOptions } from "./conversion.ts";
import { writeContentPart } from "./openai-content.ts";
import type { OpenAiResponsesItem } from "./openai-responses.ts";
import { writeArguments } from "./tool-arguments.ts";

const FORMAT = "openai-responses";

/** Writes messages as items of OpenAI's Responses. */
export function convertRichToResponses(
  messages: readonly Message[],
  options: ToForeignOptions = {},
): OpenAiResponsesItem[] {
  return messages.flatMap((message, index) => {
    const items: (OpenAiResponsesItem | MessageItem)[] = [];
    message.parts.forEach((part, partIndex) => {
      const piece = writePiece(part, message);
      const last = items.at(-1);
      const written = piece === undefined ? writeItem(part) : undefined;
      if (piece !== undefined && last instanceof MessageItem && last.takes(piece.item))
        last.content.push(piece.content);
      else if (piece !== undefined) items.push(new MessageItem(message.role, piece));
      else if (written !== undefined) items.push(written);
      else if (part.type !== "step-start") options.onLoss?.(lossOf(index, partIndex, part.type, "OpenAI responses"));
    });
    return items.map((item) => (item instanceof MessageItem ? item.close() : item));
  });
}

/** A piece of content and what its first piece knows of the item that it stood in. */
interface Piece {
  readonly content: JsonRecord;
  readonly item: unknown;
}

function writePiece(part: Part, message: Message): Piece | undefined {
  const content = writeContentPart(part, FORMAT, message.role);
  const { item } = fieldsFor(FORMAT, part);
  if (content === undefined || (part.type === "opaque" && item === undefined)) return undefined;
  const { item: _, ...piece } = content;
  return { content: piece, item };
}

/** An item of type `message` that is still being filled. */
class MessageItem {
  readonly content: JsonRecord[];
  readonly #known: JsonRecord | undefined;
  readonly #role: string;

  constructor(role: string, first: Piece) {
    this.#role = role;
    this.#known = isRecord(first.item) ? first.item : undefined;
    this.content = [first.content];
  }

  takes(item: unknown): boolean {
    return item === "joined" || (item === undefined && this.#known === undefined);
  }

  close(): OpenAiResponsesItem {
    const { string, ...known } = this.#known ?? { role: this.#role };
    return {
      ...known,
      content: string === true ? this.content[0]?.text : this.content,
    };
  }
}

function writeItem(part: Part): OpenAiResponsesItem | undefined {
  switch (part.type) {
    case "reasoning":
      return writeReasoning(part);
    case "tool-call":
      return writeCall(part);
    case "tool-result":
      return part.providerExecuted === true ? undefined : writeResult(part);
    case "opaque":
      return part.format === FORMAT && isRecord(part.value) ? part.value : undefined;
    default:
      return undefined;
  }
}

/** Reasoning without its encrypted content or its id means nothing to OpenAI. */
function writeReasoning(part: ReasoningPart): OpenAiResponsesItem | undefined {
  const id = providerOption(part, "openai", "itemId");
  const encrypted = providerOption(part, "openai", "reasoningEncryptedContent");
  const fields = fieldsFor(FORMAT, part);
  if (id === undefined && encrypted === undefined && part.foreign?.format !== FORMAT) return undefined;
  const summary = part.text === "" ? [] : [{ type: "summary_text", text: part.text }];
  return omitUndefined({
    type: "reasoning",
    id,
    summary,
    encrypted_content: encrypted,
    ...fields,
  });
}

function writeCall(part: ToolCallPart): OpenAiResponsesItem | undefined {
  const type = formFor(FORMAT, part);
  const { verbatim, ...fields } = fieldsFor(FORMAT, part);
  const id = providerOption(part, "openai", "itemId");
  if (part.providerExecuted === true && type === undefined) return undefined;
  const call = part.providerExecuted === true ? {} : { call_id: part.toolCallId };
  if (type !== undefined) return omitUndefined({ type, id, ...call, ...fields });
  const text = writeArguments(part.input, { arguments: verbatim });
  return omitUndefined({
    type: "function_call",
    id,
    ...call,
    name: part.toolName,
    arguments: text,
    ...fields,
  });
}

function writeResult(part: ToolResultPart): OpenAiResponsesItem {
  return {
    type: formFor(FORMAT, part) ?? "function_call_output",
    call_id: part.toolCallId,
    output: writeOutput(part.output),
    ...fieldsFor(FORMAT, part),
  };
}

function writeOutput(output: ToolOutput): unknown {
  if (output.type !== "content") return toolOutputText(output);
  return output.value.map((item) => (item.type === "text" ? { type: "input_text", text: item.text } : item));
}
