import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import { isRecord, type JsonRecord, omitUndefined } from "../../internal/json.ts";
import type { DraftContext, Message, MessageDraft } from "../message.ts";
import {
  completeMessages,
  fieldsFor,
  foreignOf,
  formFor,
  isFrom,
  isTakenFrom,
  lossReporter,
  readDrafts,
  splitResults,
  spoken,
  type ToForeignOptions,
  unknownRole,
  withFields,
} from "./conversion.ts";
import { type GeminiCalls, type GeminiIds, readGeminiPart, writeGeminiPart } from "./gemini-parts.ts";

const FORMAT = "gemini";
/** This piece stood in one content with the piece before it. */
const JOINED = "joined";

/** One turn of a conversation; kinds of parts that are newer than this code pass through. */
export interface GeminiContent {
  readonly role?: string;
  readonly parts: readonly JsonRecord[];
  readonly [field: string]: unknown;
}

export interface FromGeminiOptions extends Omit<DraftContext, "sessionId"> {
  /** How many calls stand in front of these contents: calls are numbered from there. */
  readonly callsBefore?: number;
}

/**
 * Reads contents of Gemini. Calls are known by their number, `call-0`, `call-1`, …: Gemini may give them no id, and a
 * client may give them one of its own afterwards. A content with function responses becomes a tool message and, if it
 * says more, a user message; on the way back they are one again.
 */
export function convertGeminiToRich(
  contents: readonly GeminiContent[],
  sessionId = "",
  { callsBefore = 0, ...context }: FromGeminiOptions = {},
): Message[] {
  const calls = numberCalls(callsBefore);
  const drafts = readDrafts(contents, (raw, index) => readContent(raw, index, calls));
  return completeMessages(FORMAT, drafts, { ...context, sessionId });
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

/** Google takes names in two spellings. A call in the other one would not be seen as one here. */
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

/** Calls that wait for their responses, first come first. Those that were answered elsewhere are passed over. */
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

/** A response belongs to the open call with its id; else to the first open call of its name that has no other id. */
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

/** The ids that calls have in these contents, for `convertRichToGemini`. */
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
 * Writes contents for Gemini. User and model take turns: messages of one side that follow each other become one content,
 * so that all responses stand right behind their calls. `ids` says which id a call has there; without it none has one.
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
    const said = spoken(part);
    const written = own || isTakenFrom(message, said) ? writeGeminiPart(said, own, ids) : undefined;
    if (written !== undefined) return [written];
    lose(place, part.type);
    return [];
  });
}
