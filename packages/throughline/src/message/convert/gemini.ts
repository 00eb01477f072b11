import { AT_LEAST_ZERO, checkOptions, type OptionRules } from "../../errors/check-options.ts";
import { InvalidMessageError } from "../../errors/input-errors.ts";
import { isRecord, type JsonRecord, omitUndefined } from "../../internal/json.ts";
import type { DraftDefaults, Message, MessageDraft } from "../message.ts";
import {
  asSent,
  completeMessages,
  FROM_RULES,
  fieldsFor,
  foreignOf,
  formFor,
  isAcceptedFrom,
  isFrom,
  lossReporter,
  readDrafts,
  splitResults,
  type ToForeignOptions,
  unknownRole,
  withFields,
} from "./conversion.ts";
import { type GeminiCalls, type GeminiIds, readGeminiPart, writeGeminiPart } from "./gemini-parts.ts";

const FORMAT = "gemini";
/** This piece was in the same content as the piece before it. */
const JOINED = "joined";

/** One turn of a Gemini conversation. Unknown kinds of parts are kept unchanged. */
export interface GeminiContent {
  readonly role?: string;
  readonly parts: readonly JsonRecord[];
  readonly [field: string]: unknown;
}

export interface FromGeminiOptions extends Omit<DraftDefaults, "sessionId"> {
  /** Number of calls before these contents; numbering continues from there. Default: 0. */
  readonly callsBefore?: number;
}

const GEMINI_RULES: OptionRules<FromGeminiOptions> = { ...FROM_RULES, callsBefore: AT_LEAST_ZERO };

/**
 * Converts Gemini contents to Throughline messages. Calls are numbered `call-0`, `call-1`, … because Gemini may omit
 * ids and clients may add their own later. A content with function responses becomes a tool message and, if it has more
 * content, a user message. Converting back joins them again.
 *
 * @param contents Contents of a Gemini request.
 * @param sessionId Session id of the converted messages. Default: empty.
 * @param options Ids and times of messages that have none, and the number of calls before these contents.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const rich = convertGeminiToRich([{ role: "user", parts: [{ text: "Hello" }] }], "session-1");
 */
export function convertGeminiToRich(
  contents: readonly GeminiContent[],
  sessionId = "",
  options: FromGeminiOptions = {},
): Message[] {
  checkOptions("convertGeminiToRich", options, GEMINI_RULES);
  const { callsBefore = 0, ...defaults } = options;
  const calls = numberCalls(callsBefore);
  const drafts = readDrafts(contents, (raw, index) => readContent(raw, index, calls));
  return completeMessages(FORMAT, drafts, { ...defaults, sessionId });
}

function readContent(raw: JsonRecord, index: number, calls: GeminiCalls): MessageDraft[] {
  const { role = "user", parts: list } = raw;
  if (role !== "user" && role !== "model" && role !== "function") throw unknownRole(index, role);
  const parts = (Array.isArray(list) ? Array.from<unknown>(list) : [list]).map((part, place) => {
    if (!isRecord(part)) throw new InvalidMessageError({ message: index, part: place }, "expected an object");
    refuseOtherSpelling(part, index, place);
    return readGeminiPart(part, calls);
  });
  const foreign = foreignOf(FORMAT, raw, ["role", "parts"], raw.role === undefined ? "no-role" : formOf(role));
  if (role === "model") return [omitUndefined({ role: "assistant", parts, foreign })];
  return splitResults(parts).map((run, piece) =>
    omitUndefined({
      role: run[0]?.type === "tool-result" ? ("tool" as const) : ("user" as const),
      parts: run,
      foreign: piece === 0 ? foreign : ({ format: FORMAT, form: JOINED } as const),
    }),
  );
}

function formOf(role: unknown): string | undefined {
  return role === "function" ? "function" : undefined;
}

/** Google accepts two spellings of these names. A call in the other spelling would go unnoticed, so it is refused. */
function refuseOtherSpelling(part: JsonRecord, message: number, place: number): void {
  if (part.function_call === undefined && part.function_response === undefined) return;
  throw new InvalidMessageError(
    { message, part: place },
    "use functionCall and functionResponse, not function_call and function_response",
  );
}

interface OpenCall {
  readonly toolCallId: string;
  isAnswered: boolean;
}

/** Queue of unanswered calls. Calls that were answered by id are skipped. */
class OpenCalls {
  readonly #waiting = new Map<string, { readonly calls: OpenCall[]; next: number }>();

  add(name: string, call: OpenCall): void {
    const known = this.#waiting.get(name);
    if (known === undefined) this.#waiting.set(name, { calls: [call], next: 0 });
    else known.calls.push(call);
  }

  take(name: string): OpenCall | undefined {
    const known = this.#waiting.get(name);
    while (known !== undefined && known.next < known.calls.length) {
      const call = known.calls[known.next++];
      if (call === undefined || call.isAnswered) continue;
      call.isAnswered = true;
      return call;
    }
    return undefined;
  }
}

/**
 * A response belongs to the open call with its id, otherwise to the first open call of the same name without another
 * id.
 */
function numberCalls(before: number): GeminiCalls {
  let count = before;
  let orphans = 0;
  const byId = new OpenCalls();
  const byName = new OpenCalls();
  const withoutId = new OpenCalls();
  return {
    call(name, id) {
      const call = { toolCallId: `call-${count++}`, isAnswered: false };
      byName.add(name, call);
      if (id === undefined) withoutId.add(name, call);
      else byId.add(id, call);
      return call.toolCallId;
    },
    response(name, id) {
      const found = id === undefined ? byName.take(name) : (byId.take(id) ?? withoutId.take(name));
      return found?.toolCallId ?? `response-${orphans++}`;
    },
  };
}

/** Ids of the calls in these contents, for `convertRichToGemini`. */
export function geminiIds(contents: readonly GeminiContent[]): GeminiIds {
  const ids = new Map<string, string>();
  for (const { parts } of convertGeminiToRich(contents)) {
    for (const part of parts) {
      const call = part.type === "tool-call" ? fieldsFor(FORMAT, part).functionCall : undefined;
      if (part.type === "tool-call" && isRecord(call) && typeof call.id === "string") ids.set(part.toolCallId, call.id);
    }
  }
  return (toolCallId) => ids.get(toolCallId);
}

interface Written {
  readonly role: "user" | "model";
  readonly message: Message;
  readonly parts: JsonRecord[];
}

/**
 * Converts Throughline messages to Gemini contents. Consecutive messages of the same role are merged, so that roles
 * alternate and responses directly follow their calls. `ids` gives the Gemini id of a call; without it no ids are
 * written.
 */
export function convertRichToGemini(
  messages: readonly Message[],
  { ids = () => undefined, ...options }: ToForeignOptions & { readonly ids?: GeminiIds } = {},
): GeminiContent[] {
  const written: Written[] = [];
  messages.forEach((message, index) => {
    const parts = writeParts(message, index, ids, options);
    const role = message.role === "assistant" ? "model" : "user";
    const before = written.at(-1);
    if (parts.length === 0) return;
    if (before?.role === role) before.parts.push(...parts);
    else written.push({ role, message, parts });
  });
  return written.map(({ role, message, parts }) => {
    const form = formFor(FORMAT, message);
    const known = { role: form === "no-role" ? undefined : form === "function" ? "function" : role, parts };
    return withFields(known, fieldsFor(FORMAT, message)) as unknown as GeminiContent;
  });
}

function writeParts(message: Message, index: number, ids: GeminiIds, options: ToForeignOptions): JsonRecord[] {
  const own = isFrom(FORMAT, message);
  const lose = lossReporter(options, index, "Gemini");
  return message.parts.flatMap((part, place) => {
    const sent = asSent(part);
    const written = own || isAcceptedFrom(message, sent) ? writeGeminiPart(sent, own, ids) : undefined;
    if (written !== undefined) return [written];
    lose(place, part.type);
    return [];
  });
}
