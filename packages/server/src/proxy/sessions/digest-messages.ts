import { createHash, type Hash } from "node:crypto";
import type { Message, Part } from "throughline";
import { isRecord, yieldToEventLoop } from "throughline/internal/util";

/** Cache marks move between requests, so they are not part of the content. */
const MARKS: readonly string[] = ["cache_control", "cacheControl", "providerOptions"];
/** Thinking in front of an answer, which many clients do not send back. */
const THOUGHT = /^\s*<think>[\s\S]*?<\/think>/;

/**
 * For each message, a digest of everything up to it: two conversations share a digest exactly if they are equal so far.
 * `before` is the digest of everything before the first message.
 */
export async function digestChain(messages: readonly Message[], before: string): Promise<readonly string[]> {
  let digest = before;
  const chain: string[] = [];
  for (const message of messages) {
    digest = sha256(`${digest}\n${await digestMessage(message)}`);
    chain.push(digest);
  }
  return chain;
}

/**
 * A short digest of a message that is the same for every form in which clients send it: a hash over a JSON array of the
 * role and the content of the parts. Yields to other tasks between parts.
 */
export async function digestMessage({ role, parts }: Message): Promise<string> {
  const hash = createHash("sha256").update(`[${JSON.stringify(role)}`);
  for await (const content of contentOf(role, parts)) {
    await yieldToEventLoop();
    const json = JSON.stringify(content);
    await yieldToEventLoop();
    hash.update(",").update(json);
  }
  return shortHex(hash.update("]"));
}

export function sha256(text: string): string {
  return shortHex(createHash("sha256").update(text));
}

function shortHex(hash: Hash): string {
  return hash.digest("hex").slice(0, 40);
}

/** Joins adjacent texts and ignores whitespace, because clients join and trim them. */
async function* contentOf(role: Message["role"], parts: readonly Part[]): AsyncGenerator<string> {
  let text = "";
  const flush = async () => {
    const words = await withoutSpace(role === "assistant" ? text.replace(THOUGHT, "") : text);
    text = "";
    return words === "" ? [] : [`text ${words}`];
  };
  for (const part of parts) {
    if (part.type === "text") text += part.text;
    const key = keyOf(role, part);
    if (key === undefined) continue;
    yield* await flush();
    yield key;
  }
  yield* await flush();
}

/** Characters of an answer that are read to distinguish answers; at most `MAX_OPENING` of them are compared. */
const MAX_OPENING_READ = 4_000;
export const MAX_OPENING = 200;

/** The letters and digits at the start of an answer: the same if a client trims, wraps or reformats it. */
export function openingOf(text: string): string {
  const read = text.replace(THOUGHT, "").slice(0, MAX_OPENING_READ);
  return read
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase()
    .slice(0, MAX_OPENING);
}

/** Characters processed per chunk. */
const PIECE = 64 * 1024;

/** Removes whitespace. Other tasks can run between the chunks of a long text. */
export async function withoutSpace(text: string): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += PIECE) {
    // Split and join: replacing in place takes ten times the memory of the text in V8.
    pieces.push(
      text
        .slice(at, at + PIECE)
        .split(/\s+/)
        .join(""),
    );
    await yieldToEventLoop();
  }
  return pieces.join("");
}

/** The comparison key of a part. Provider-run tools and thinking need not come back, so they have none. */
function keyOf(role: Message["role"], part: Part): string | undefined {
  switch (part.type) {
    case "tool-call":
      if (part.providerExecuted === true) return undefined;
      return `call ${part.toolCallId} ${part.toolName} ${inOrder(part.input)}`;
    case "tool-result":
      return part.providerExecuted === true ? undefined : `result ${part.toolCallId} ${inOrder(part.output)}`;
    case "file":
      return `file ${part.mediaType} ${inOrder(part.data)}`;
    case "opaque":
      return role === "assistant" && !isReference(part) ? undefined : `other ${inOrder(part.value)}`;
    default:
      return undefined;
  }
}

/** True if a part only refers to an item that the upstream stores. */
export function isReference(part: Part): boolean {
  return part.type === "opaque" && isRecord(part.value) && part.value.type === "item_reference";
}

/** JSON with sorted fields, without cache marks. */
export function inOrder(value: unknown): string {
  return JSON.stringify(value, (name, inner: unknown) => {
    if (MARKS.includes(name)) return undefined;
    if (!isRecord(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
