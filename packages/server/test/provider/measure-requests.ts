import { cacheMarksOf } from "./anthropic-rules.ts";
import { isJson, type Json, listOf } from "./provider.ts";
import type { Exchange } from "./provider-server.ts";
import { RULE } from "./scripted-task.ts";

/** Measurements of one request that the provider received. */
export interface RequestMeasure {
  readonly bytes: number;
  readonly messages: number;
  readonly cacheMarks: number;
  readonly hasRule: boolean;
  readonly refusal: string | undefined;
  /** Relation to the last accepted request, ignoring cache marks. */
  readonly prefix: "first" | "refused" | Pair;
}

/**
 * `append` starts with the whole last request; `cut` has fewer messages, or one cut to less than half; `change` changes
 * another message.
 */
type Pair = "stable" | "compacted" | "changed";

/** All requests of a task. */
export interface TaskMeasures {
  readonly requests: number;
  readonly withoutRule: number;
  readonly stable: number;
  readonly compacted: number;
  readonly changed: number;
}

export function measureRequests(exchanges: readonly Exchange[]): readonly RequestMeasure[] {
  let last: readonly string[] | undefined;
  return exchanges.map(({ body: text, refusal }) => {
    const body = JSON.parse(text) as Json;
    const messages = messagesOf(body);
    const before = last;
    if (refusal === undefined) last = messages;
    const pair = () => (before === undefined ? "first" : compare(before, messages, body));
    return {
      bytes: text.length,
      messages: messages.length,
      cacheMarks: cacheMarksOf(body).length,
      hasRule: body.previous_response_id !== undefined || text.includes(RULE),
      refusal,
      prefix: refusal === undefined ? pair() : "refused",
    };
  });
}

export function sumUp(measures: readonly RequestMeasure[]): TaskMeasures {
  const count = (wanted: RequestMeasure["prefix"]) => measures.filter(({ prefix }) => prefix === wanted).length;
  return {
    requests: measures.length,
    withoutRule: measures.filter(({ hasRule }) => !hasRule).length,
    stable: count("stable"),
    compacted: count("compacted"),
    changed: count("changed"),
  };
}

/** Tokens of all tool outputs in the requests, each output once, at four characters for a token. */
export function toolOutputOf(bodies: readonly string[]): number {
  const lengths = new Map<string, number>();
  for (const body of bodies) {
    for (const output of outputsIn(JSON.parse(body))) {
      const text = textIn(output.content ?? output.output ?? output.response);
      const id = String(output.tool_use_id ?? output.tool_call_id ?? output.call_id ?? output.id ?? text);
      lengths.set(id, Math.max(lengths.get(id) ?? 0, text.length));
    }
  }
  return [...lengths.values()].reduce((sum, length) => sum + length / 4, 0);
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textIn).join("");
  return isJson(value) ? textIn(Object.entries(value).flatMap(([key, inner]) => (key === "type" ? [] : [inner]))) : "";
}

/** The tool outputs of a request in any wire format. */
function outputsIn({ messages, input, contents }: Json): readonly Json[] {
  return listOf(messages ?? input ?? contents).flatMap((message) => {
    if (message.role === "tool" || String(message.type).endsWith("_output")) return [message];
    const blocks = listOf(message.content).filter(({ type }) => type === "tool_result");
    return [
      ...blocks,
      ...listOf(message.parts).flatMap(({ functionResponse }) => (isJson(functionResponse) ? [functionResponse] : [])),
    ];
  });
}

function compare(before: readonly string[], after: readonly string[], body: Json): Pair {
  if (body.previous_response_id !== undefined) return "stable";
  const at = before.findIndex((message, index) => message !== after[index]);
  if (at < 0) return "stable";
  const [was = "", is = ""] = [before[at], after[at]];
  return after.length < before.length || is.length < was.length / 2 ? "compacted" : "changed";
}

function messagesOf({ messages, input, contents }: Json): readonly string[] {
  return listOf(messages ?? input ?? contents).map((message) => JSON.stringify(withoutMarks(message)));
}

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isJson(value)) return value;
  const { cache_control: _, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, withoutMarks(inner)]));
}
