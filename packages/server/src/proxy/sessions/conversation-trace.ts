import { createHash, type Hash } from "node:crypto";
import type { Message, Part } from "throughline";
import { withoutInjected } from "throughline/internal/engine";
import { isRecord, yieldToEventLoop } from "throughline/internal/util";
import type { ToolCallPart, ToolResultPart } from "throughline/messages";
import { inOrder, isReference, MAX_OPENING, openingOf, sha256, withoutSpace } from "./digest-messages.ts";

export type ToolPart = ToolCallPart | ToolResultPart;

/** The end of one part in a traced conversation. */
interface PartEnd {
  /** Length so far: one per tool call, result, file and answer, and one per character of user text. */
  readonly position: number;
  /** Digest of everything so far. */
  readonly digest: string;
  /** The same, but with the text of only the last tool result: clients clear older results to save space. */
  readonly outlineDigest: string;
  /** The start of the last answer so far; empty if it has no text. */
  readonly opening: string;
}

export type DigestKind = "digest" | "outlineDigest";

/** One message of a traced conversation. */
export interface TracedMessage {
  readonly message: Message;
  /** The position after it. */
  readonly end: number;
  readonly parts: readonly PartEnd[];
}

/** A client's placeholder for a result, such as "[Old tool result content cleared]". */
const NOTE = /^[[<(]\p{L}/u;

const MAX_NOTE = 400;

/** Characters that all placeholders of one client have in common at the start. */
const NOTE_OPENING = 12;

/**
 * A conversation reduced to the parts that clients send back unchanged: user text, tool calls (by name), tool results,
 * and whether the assistant answered. Assistant text, thinking, call ids, whitespace, empty parts and message borders
 * within a role are ignored, so different forms of one conversation have the same positions and digests.
 */
export class ConversationTrace {
  readonly messages: TracedMessage[] = [];
  /** Calls and results of client-side tools, in order. */
  readonly tools: ToolPart[] = [];
  readonly #seed: string;
  readonly #hash: Hash;
  readonly #outlineHash: Hash;
  #lastResult = "";
  #position = 0;
  #opening = "";
  #last: "words" | "assistant" | "other" = "other";

  constructor(seed: string) {
    this.#seed = seed;
    this.#hash = createHash("sha256").update(seed);
    this.#outlineHash = this.#hash.copy();
  }

  static async of(seed: string, messages: readonly Message[]): Promise<ConversationTrace> {
    const trace = new ConversationTrace(seed);
    await trace.add(messages);
    return trace;
  }

  get position(): number {
    return this.#position;
  }

  get digest(): string {
    return this.#hash.copy().digest("hex").slice(0, 40);
  }

  get outlineDigest(): string {
    return this.#outlineHash.copy().update(this.#lastResult).digest("hex").slice(0, 40);
  }

  /** Digest of the start of the last answer, up to a digest or the end; `undefined` if it has no text. */
  openingDigest(upTo = this.digest, kind: DigestKind = "digest"): string | undefined {
    const isWanted = (part: PartEnd) => part[kind] === upTo;
    const opening = this.messages.findLast(({ parts }) => parts.some(isWanted))?.parts.findLast(isWanted)?.opening;
    return opening ? sha256(`${this.#seed}\n${opening}`) : undefined;
  }

  /**
   * Digests of the start of the conversation: up to the end of the first run of texts in one message, regardless of its
   * parts, and up to its first part if that is shorter.
   */
  get firstDigests(): readonly string[] {
    const first = this.messages.find(({ end }) => end > 0);
    const from = first?.parts.findIndex(({ position }) => position > 0) ?? 0;
    const isText = (at: number) => first?.message.parts[at]?.type === "text";
    let to = from;
    while (isText(from) && isText(to + 1)) to += 1;
    return [...new Set([to, from].flatMap((at) => first?.parts[at]?.digest ?? []))];
  }

  /** Appends messages. Other tasks can run in between. */
  async add(messages: readonly Message[]): Promise<void> {
    for (const message of messages) {
      const parts: PartEnd[] = [];
      for (const part of message.parts) {
        if (message.role === "assistant") this.#assistantPart(part);
        else await this.#clientPart(part);
        const { digest, outlineDigest } = this;
        parts.push({ position: this.#position, digest, outlineDigest, opening: this.#opening });
      }
      this.messages.push({ message, end: this.#position, parts });
      await yieldToEventLoop();
    }
  }

  /** The messages after the first part with that digest; `undefined` if there is none. */
  after(wanted: string, kind: DigestKind = "digest"): readonly Message[] | undefined {
    const isWanted = (part: PartEnd) => part[kind] === wanted;
    const at = this.messages.findIndex(({ parts }) => parts.some(isWanted));
    const { message, parts, end } = this.messages[at] ?? {};
    if (message === undefined || parts === undefined) return undefined;
    const split = parts.findIndex(isWanted);
    const isPart = parts[split]?.position !== end;
    const rest = isPart ? [{ ...message, parts: message.parts.slice(split + 1) }] : [];
    // An answer with only thinking does not change the digest, so it was stored with the message before it.
    const isSilent = (next: TracedMessage) => !isPart && next.message.role === "assistant" && next.end === end;
    const from = this.messages.findIndex((next, index) => index > at && !isSilent(next));
    return [...rest, ...(from < 0 ? [] : this.messages.slice(from).map((next) => next.message))];
  }

  /** True if a stored conversation is the start of this one, with full tool results that are shortened here. */
  isShortenedFrom(stored: ConversationTrace): boolean {
    const notes = new Set<string>();
    const isSame = stored.tools.every((full, index) => {
      const now = this.tools[index];
      if (full.type === "tool-call" || now?.type !== "tool-result") return full.type === now?.type;
      if (resultText(full).trim() === resultText(now).trim()) return true;
      const [before, after] = [wordsOf(full.output), wordsOf(now.output)];
      if (isCutFrom(before, after)) return true;
      notes.add(after.slice(0, NOTE_OPENING));
      return after.length <= MAX_NOTE && NOTE.test(after);
    });
    return isSame && notes.size <= 1;
  }

  #assistantPart(part: Part): void {
    const isCall = part.type === "tool-call" && part.providerExecuted !== true;
    const isText = part.type === "text" && part.text.trim() !== "";
    if ((isCall || isText) && this.#last !== "assistant") {
      this.#opening = "";
      this.#put("assistant", "answer", 1);
    }
    if (isText) this.#opening = (this.#opening + openingOf(part.text)).slice(0, MAX_OPENING);
    if (!isCall) return;
    this.tools.push(part);
    // Clients add tool defaults to the input; the result distinguishes calls of one tool.
    this.#put("assistant", `call ${JSON.stringify(part.toolName)}`, 1);
  }

  async #clientPart(part: Part): Promise<void> {
    switch (part.type) {
      case "text": {
        const words = await withoutSpace(withoutInjected(part.text));
        if (words === "") return;
        // One run of text, regardless of its parts and messages.
        if (this.#last !== "words") this.#put("words", "words", 0);
        for (const hash of [this.#hash, this.#outlineHash]) hash.update(words);
        this.#position += words.length;
        return;
      }
      case "tool-result":
        if (part.providerExecuted === true) return;
        this.tools.push(part);
        this.#lastResult = sha256(resultText(part).trim());
        this.#put("other", `result ${this.#lastResult}`, 1, "result");
        return;
      case "file":
        this.#put("other", `file ${part.mediaType} ${inOrder(part.data)}`, 1);
        return;
      case "opaque":
        this.#put("other", `opaque ${inOrder(part.value)}`, 1);
        return;
      default:
    }
  }

  #put(kind: "words" | "assistant" | "other", text: string, length: number, outline = text): void {
    this.#last = kind;
    // Prefixed with its length, so that no text can imitate the following entry. The text has no line breaks.
    this.#hash.update(`\n${text.length} ${text}\n`);
    this.#outlineHash.update(`\n${outline.length} ${outline}\n`);
    this.#position += length;
  }
}

/** True if a message only refers to an item that the provider stores. */
export function hasReference({ parts }: Message): boolean {
  return parts.some(isReference);
}

/** Characters that a shortened result still has of the full one. */
const EXCERPT = 40;

/** True if a shorter result still contains the start or the end of the full one. */
function isCutFrom(full: string, cut: string): boolean {
  if (cut.length >= full.length) return false;
  const places = [0, EXCERPT, full.length - EXCERPT, full.length - 2 * EXCERPT];
  return places.some((at) => at >= 0 && cut.includes(full.slice(at, at + EXCERPT)));
}

/** All texts in an output. */
function wordsOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (Array.isArray(value)) return value.map(wordsOf).join("\n");
  if (!isRecord(value)) return "";
  return wordsOf(Object.entries(value).flatMap(([name, inner]) => (name === "type" ? [] : [inner])));
}

/** A text is the same as a string or as a list with one text. */
function resultText({ output }: ToolResultPart): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "content":
      return output.value.map((item) => (typeof item.text === "string" ? item.text : inOrder(item))).join("");
    default:
      return inOrder(output);
  }
}
