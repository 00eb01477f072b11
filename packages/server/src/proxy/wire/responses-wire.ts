import { InvalidMessageError, type ReportedUsage } from "throughline";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
  tryParseJson,
} from "throughline/internal/util";
import { convertResponsesToRich, convertRichToResponses, type OpenAiResponsesItem } from "throughline/messages";
import { ERROR_STARTS } from "../upstream/event-stream.ts";
import { type Answer, type AnswerReader, definitionsIn, isSystem, joinTexts, type Wire, wordsOf } from "./wire.ts";

const PREAMBLE: readonly unknown[] = ["response.created", "response.queued", "response.in_progress"];

/** The OpenAI Responses API. */
export const responsesWire: Wire = {
  family: "openai",
  path: "responses",
  form: "responses",
  read(body) {
    const items = itemsOf(body);
    return {
      modelId: stringField(body, "model") ?? "",
      system: joinTexts([stringField(body, "instructions") ?? "", ...items.filter(isSystem).map(wordsOf)]),
      messages: convertResponsesToRich(items.filter((item) => !isSystem(item))),
      definitions: definitionsIn(body, ["tools", "text"]),
      maxTokens: numberField(body, "max_output_tokens"),
      previous: stringField(body, "previous_response_id"),
      unknown: unknownItem(body),
    };
  },
  write(body, { messages, memories }) {
    const instructions = stringField(body, "instructions") ?? "";
    return {
      ...(memories !== undefined && { instructions: joinTexts([instructions, memories]) }),
      // The request now has the whole conversation, so the upstream's copy is not continued.
      ...(messages !== undefined && {
        input: [...itemsOf(body).filter(isSystem), ...convertRichToResponses(messages)],
        previous_response_id: undefined,
      }),
    };
  },
  reader: responsesAnswerReader,
  openings: {
    starts: [
      ...ERROR_STARTS,
      ...[...PREAMBLE, "response.failed"].map((type) => `event:${type}`),
      'data:{"type":"response.',
    ],
    isPreamble: (event) => PREAMBLE.includes(event.type),
  },
};

function itemsOf(body: JsonRecord): readonly OpenAiResponsesItem[] {
  const text = stringField(body, "input");
  const list = text === undefined ? arrayField(body, "input") : [{ role: "user", content: text }];
  if (list?.every(isRecord)) return list;
  throw new InvalidMessageError({ message: 0 }, "expected a text or a list of items");
}

function unknownItem(body: JsonRecord): string | undefined {
  if (body.conversation !== undefined && body.conversation !== null) return "conversation-held-upstream";
  if (isRecord(body.prompt)) return "prompt-held-upstream";
  return body.background === true ? "background" : undefined;
}

const LAST: readonly unknown[] = ["response.completed", "response.incomplete"];

export function responsesAnswerReader(): AnswerReader {
  return new ResponsesAnswerReader();
}

/** The last event of a stream has the whole response. */
class ResponsesAnswerReader implements AnswerReader {
  #response: JsonRecord | undefined;
  isFinished = false;
  failure: unknown;

  event(data: string): void {
    const event = tryParseJson(data)?.value;
    if (!isRecord(event)) return;
    if (event.type === "error") this.failure ??= event.error ?? event;
    if (event.type === "response.failed") this.failure ??= recordField(event, "response")?.error ?? event;
    if (LAST.includes(event.type)) this.body(event.response);
  }

  body(json: unknown): void {
    this.isFinished = true;
    if (!isRecord(json)) return;
    this.failure ??= json.error ?? undefined;
    this.#response = json;
  }

  answer(): Answer | undefined {
    const response = this.#response;
    const status = response?.status ?? "completed";
    if (response === undefined || this.failure !== undefined) return undefined;
    if (status !== "completed" && status !== "incomplete") return undefined;
    const output = (arrayField(response, "output") ?? []).filter(isRecord) as readonly OpenAiResponsesItem[];
    return {
      messages: convertResponsesToRich(output),
      usage: readResponsesUsage(response),
      ...(response.store === false ? {} : { id: stringField(response, "id"), named: referencesTo(output) }),
    };
  }
}

/** All items as references, or all but the calls, as the AI SDK sends them. */
function referencesTo(output: readonly OpenAiResponsesItem[]): readonly Answer["messages"][] {
  const reference = ({ id }: OpenAiResponsesItem) => ({ type: "item_reference", id });
  const isCall = ({ type }: OpenAiResponsesItem) => type === "function_call";
  return [output.map(reference), output.map((item) => (isCall(item) ? item : reference(item)))].map((items) =>
    convertResponsesToRich(items),
  );
}

function readResponsesUsage(response: JsonRecord): ReportedUsage | undefined {
  const usage = recordField(response, "usage");
  const inputTokens = usage && numberField(usage, "input_tokens");
  if (usage === undefined || inputTokens === undefined || inputTokens <= 0) return undefined;
  const details = recordField(usage, "input_tokens_details") ?? {};
  return omitUndefined({ inputTokens, cacheReadTokens: numberField(details, "cached_tokens") });
}
