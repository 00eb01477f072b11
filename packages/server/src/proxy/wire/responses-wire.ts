import { InvalidMessageError } from "throughline";
import { arrayField, isRecord, type JsonRecord, numberField, stringField } from "throughline/internal/util";
import { convertResponsesToRich, convertRichToResponses, type OpenAiResponsesItem } from "throughline/messages";
import { ERROR_STARTS } from "../upstream/sniff-stream.ts";
import { definitionsIn, isSystem, joinTexts, wordsOf } from "./request-fields.ts";
import { responsesAnswerReader } from "./responses-answer.ts";
import type { Wire } from "./wire.ts";

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
