import { createHash, type Hash } from "node:crypto";
import type { Message, Part } from "throughline";
import { isRecord, yieldToEventLoop } from "throughline/internal";

/** Clients put marks of the prompt cache here and there, another time elsewhere: they are not what was said. */
const MARKS: readonly string[] = ["cache_control", "cacheControl", "providerOptions"];
/** What a model thinks aloud in front of its answer; many clients do not send it back. */
const THOUGHT = /^\s*<think>[\s\S]*?<\/think>/;

/**
 * For each message a digest of everything up to it: two conversations have the same one exactly where they said the same
 * until then. `before` is the digest of what stands in front of the first.
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
 * What a message says, in a few characters, and the same whichever way it comes back from a client: the digest of a JSON
 * array of its role and of what its parts say. Other tasks get the thread between parts.
 */
export async function digestMessage({ role, parts }: Message): Promise<string> {
  const hash = createHash("sha256").update(`[${JSON.stringify(role)}`);
  for await (const said of saidIn(role, parts)) {
    await yieldToEventLoop();
    const json = JSON.stringify(said);
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

/** Texts that follow each other are one, and spaces do not count: clients join and trim them. */
async function* saidIn(role: Message["role"], parts: readonly Part[]): AsyncGenerator<string> {
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

/** Characters of an answer that are read to tell answers apart, and the letters of them that are compared. */
const MAX_OPENING_READ = 4_000;
export const MAX_OPENING = 200;

/** The letters and digits at the beginning of an answer: the same if a client trims, wraps or reformats it. */
export function openingOf(text: string): string {
  const read = text.replace(THOUGHT, "").slice(0, MAX_OPENING_READ);
  return read
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase()
    .slice(0, MAX_OPENING);
}

/** Characters of which the spaces are taken out at once. */
const PIECE = 64 * 1024;

/** Other tasks may run between the pieces of a long text. */
export async function withoutSpace(text: string): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += PIECE) {
    // Split and joined: what V8 makes of many replacements takes ten times the memory of the text.
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

/** What the provider ran itself and what the model thought need not come back. */
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

/** Whether a part only names something that the upstream keeps. */
export function isReference(part: Part): boolean {
  return part.type === "opaque" && isRecord(part.value) && part.value.type === "item_reference";
}

/** JSON with the fields of each object in order, without cache marks. */
export function inOrder(value: unknown): string {
  return JSON.stringify(value, (name, inner: unknown) => {
    if (MARKS.includes(name)) return undefined;
    if (!isRecord(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
