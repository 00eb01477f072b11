import type { ReportedUsage } from "throughline";
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
import { convertResponsesToRich, type OpenAiResponsesItem } from "throughline/messages";
import type { Answer, AnswerReader } from "./wire.ts";

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
