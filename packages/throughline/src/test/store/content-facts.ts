import type { Message } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionKey } from "../../ports/store.ts";
import { assertSame } from "../assert.ts";
import { HARD_TEXT, noise, said, withParts } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

/** Bytes of every value. */
const BYTES = Uint8Array.from({ length: 512 }, (_, i) => i % 256);

export const CONTENT_FACTS: readonly StoreFact[] = [
  ["parts of every kind round-trip", (store, key) => roundTrip(store, key, [everyKind(key)])],
  [
    "all fields of a message round-trip",
    (store, key) =>
      roundTrip(store, key, [
        fullMessage(key),
        { id: "bare", sessionId: key.sessionId, role: "system", createdAt: 0, parts: [] },
        { ...said(key, "elsewhere"), sessionId: "another name", createdAt: 12.5, tokens: 1.5 },
      ]),
  ],
  [
    "bytes round-trip as bytes, and values that look like encoded bytes stay unchanged",
    (store, key) =>
      roundTrip(store, key, [
        withParts(key, "bytes", [
          { id: "0", type: "file", mediaType: "image/png", data: { type: "data", data: BYTES } },
          { id: "1", type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array() } },
          { id: "2", type: "file", mediaType: "image/png", data: { type: "data", data: BYTES.subarray(3, 9) } },
          {
            id: "3",
            type: "tool-result",
            toolCallId: "c",
            toolName: "t",
            output: { type: "content", value: [{ type: "media", data: BYTES }] },
          },
          {
            id: "4",
            type: "tool-call",
            toolCallId: "c",
            toolName: "t",
            input: { $bytes: "AAEC", deep: [{ $bytes: "AAEC" }, { $$bytes: "x" }, { 0: 1, 1: 2 }], $type: "Buffer" },
          },
        ]),
      ]),
  ],
  [
    "any text round-trips, in ids too",
    (store, key) =>
      roundTrip(store, { userId: key.userId + HARD_TEXT, sessionId: HARD_TEXT }, [
        said({ ...key, sessionId: HARD_TEXT }, HARD_TEXT, HARD_TEXT),
        said({ ...key, sessionId: HARD_TEXT }, "", ""),
        ...["\0", "\0\0", "\\u0000", "\ud800", "\udc00", "\ufffd", "__proto__", "A", "a", "ä", "a\u0308"].map((id) =>
          said({ ...key, sessionId: HARD_TEXT }, id, id),
        ),
      ]),
  ],
  [
    "large parts round-trip, compressible or not",
    (store, key) =>
      roundTrip(store, key, [
        said(key, "below", "x".repeat(60 * 1024)),
        said(key, "repeats", "all work and no play ".repeat(20_000)),
        said(key, "noise", noise(200_000)),
        said(key, "wide", "東京".repeat(30_000)),
        withParts(key, "file", [
          {
            id: "file.0",
            type: "file",
            mediaType: "image/png",
            data: { type: "data", data: Uint8Array.from(noise(300_000), (char) => char.charCodeAt(0)) },
          },
        ]),
      ]),
  ],
];

async function roundTrip(
  store: Parameters<StoreFact[1]>[0],
  key: SessionKey,
  messages: readonly Message[],
): Promise<void> {
  assertSame(await store.messages.append(key, 0, messages), true, "the append");
  assertSame(await store.messages.list(key), messages, "the messages by position");
  const ids = messages.map(({ id }) => id);
  assertSame(await store.messages.get(key, ids), messages, "the messages by id");
  for (const message of messages) {
    for (const { id } of message.parts)
      assertSame(await store.messages.list(key, { parts: [id] }), [message], `the message with part ${id}`);
  }
}

function everyKind(key: SessionKey): Message {
  const call = { toolCallId: "call_1", toolName: "read" };
  const json = { nothing: null, yes: true, list: [1, -2.5, 1e21, [], {}], text: HARD_TEXT, ["__proto__"]: { a: 1 } };
  const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
  const foreign = { format: "openai-chat", form: "string", fields: { x_new: json } } as const;
  const parts: Part[] = [
    { id: "a", type: "text", text: "Hello", synthetic: true, tokens: 1, countedBy: "o200k", providerOptions, foreign },
    { id: "b", type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "abc==" } } },
    { id: "c", type: "file", mediaType: "image", filename: "a.png", data: { type: "url", url: "https://a.example/" } },
    { id: "d", type: "file", mediaType: "text/plain", data: { type: "text", text: "text" } },
    { id: "e", type: "file", mediaType: "application/pdf", data: { type: "reference", reference: { openai: "f_1" } } },
    { id: "f", type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: "AAEC" } },
    { id: "g", type: "tool-call", ...call, input: json, providerExecuted: false },
    { id: "h", type: "tool-result", ...call, output: { type: "json", value: json }, compactedAt: 5, originalTokens: 9 },
    { id: "i", type: "tool-result", ...call, output: { type: "execution-denied", reason: "no" } },
    { id: "j", type: "tool-approval-request", approvalId: "p", toolCallId: "call_1" },
    { id: "k", type: "tool-approval-response", approvalId: "p", approved: true, reason: "fine" },
    { id: "l", type: "step-start" },
    { id: "m", type: "compaction-marker", summary: "S", compactedAt: 1, messagesCompacted: 2, originalTokens: 3 },
    { id: "n", type: "opaque", format: "gemini", value: "no object" },
  ];
  return withParts(key, "every-kind", parts);
}

function fullMessage(key: SessionKey): Message {
  return {
    ...said(key, "full"),
    tokens: 12,
    isSummary: true,
    isCompactionTrigger: false,
    parentId: "bare",
    modelId: "gpt-5",
    finishReason: "stop",
    error: { name: "AbortError", message: HARD_TEXT, aborted: true },
    usage: { input: 10, output: 2, cache: { read: 1, write: 0 } },
    provenance: { format: "ai-sdk", id: "x", line: 3 },
    providerOptions: { openai: { store: false } },
    foreign: { format: "ai-sdk", fields: { big: "y".repeat(70_000) } },
  };
}
