import type { Message } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionKey, Store } from "../../ports/store.ts";
import { assert, assertSame, type StoreFact } from "../conformance.ts";
import { compaction, conversation, HARD_TEXT, noise, receipt, said, withParts } from "../samples.ts";

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

const HOLDER = "holder";
const LONG = 600_000;

export const ISOLATION_FACTS: readonly StoreFact[] = [
  [
    "another user sees nothing of a session and changes nothing in it",
    isolated((key) => ({ ...key, userId: `${key.userId}2` })),
  ],
  [
    "another session of the same user sees nothing of a session and changes nothing in it",
    isolated((key) => ({ ...key, sessionId: `${key.sessionId}2` })),
  ],
  ["ids of users are case-sensitive", isolated((key) => ({ ...key, userId: key.userId.toUpperCase() }))],
  [
    "user and session are not concatenated into one key",
    isolated((key) => ({ userId: key.userId + key.sessionId.slice(0, 1), sessionId: key.sessionId.slice(1) })),
  ],
  [
    "names with wildcards, quotes or NUL are compared literally",
    async (store, key) => {
      await fill(store, key);
      const before = await snapshot(store, key);
      for (const sign of ["%", "_", "*", "' OR '1'='1", '" OR ""="', "\0", "\\"]) {
        for (const stranger of [sign, key.userId + sign, sign + key.userId]) {
          assertSame(await store.sessions.list(stranger), [], `the sessions of ${stranger}`);
          await store.sessions.purge({ ...key, userId: stranger });
        }
        await store.sessions.purge({ ...key, sessionId: sign });
      }
      assertSame(await snapshot(store, key), before, "the session");
    },
  ],
];

/** Fills a session, then checks every method with the key of another one (the stranger). */
function isolated(strangerOf: (key: SessionKey) => SessionKey): StoreFact[1] {
  return async (store, key) => {
    const stranger = strangerOf(key);
    await fill(store, key);
    const before = await snapshot(store, key);
    await seesNothing(store, stranger, key);
    assertSame(await snapshot(store, key), before, "the session after reads by a stranger");
    await writesApart(store, stranger);
    assertSame(await snapshot(store, key), before, "the session after a stranger wrote");
    await store.sessions.purge(stranger);
    assertSame(await snapshot(store, key), before, "the session after a stranger purged");
    assertSame(await store.messages.list(stranger), [], "the messages that the stranger purged");
  };
}

async function fill(store: Store, key: SessionKey): Promise<void> {
  await store.messages.append(key, 0, conversation(key, 4));
  await store.sessions.commit(key, {
    revision: 0,
    state: { secret: 1 },
    compactions: [compaction("c", 1)],
    receipts: [receipt("r")],
    marks: new Map([["m0.0", 1]]),
  });
  await store.sessions.lease(key, HOLDER, LONG);
}

async function snapshot(store: Store, key: SessionKey): Promise<unknown> {
  const ids = { messages: ["m0", "m4", "stranger"], parts: ["m0.0", "m4.0", "stranger.0"] };
  return {
    head: await store.sessions.head(key),
    state: await store.sessions.state(key),
    messages: await store.messages.list(key),
    byId: await store.messages.get(key, ids.messages),
    byPart: await store.messages.list(key, { parts: ["m0.0"] }),
    taken: await store.messages.taken(key, ids),
    marks: await store.messages.marks(key),
    compactions: await store.sessions.compactions(key),
    receipts: await store.sessions.receipts(key),
    listed: (await store.sessions.list(key.userId)).find(({ sessionId }) => sessionId === key.sessionId),
  };
}

async function seesNothing(store: Store, stranger: SessionKey, key: SessionKey): Promise<void> {
  const { messages, sessions } = store;
  const head = await sessions.head(stranger);
  assertSame([head.appended, head.revision, head.compactions, head.receipts], [0, 0, 0, 0], "a stranger's head");
  assert(!head.isCompacting && head.lastCompactionAt === undefined, "a stranger sees no compaction");
  assertSame(await sessions.state(stranger), undefined, "a stranger's state");
  assertSame(await messages.list(stranger), [], "a stranger's messages");
  assertSame(await messages.get(stranger, ["m0", "m1"]), [], "messages by id");
  assertSame(await messages.list(stranger, { parts: ["m0.0"] }), [], "a message by its part");
  const ids = { messages: ["m0"], parts: ["m0.0"] };
  assertSame(await messages.taken(stranger, ids), { messages: [], parts: [] }, "taken ids");
  assertSame(await messages.marks(stranger), new Map(), "marks");
  assertSame(await sessions.compactions(stranger), [], "compactions");
  assertSame(await sessions.compactions(stranger, ["c"]), [], "compactions by id");
  assertSame(await sessions.receipts(stranger), [], "receipts");
  const listed = (await sessions.list(stranger.userId)).map(({ sessionId }) => sessionId);
  assertSame(listed, stranger.userId === key.userId ? [key.sessionId] : [], "a stranger's sessions");
}

/** Checks that a stranger can use the same ids, and has its own counts and lease. */
async function writesApart(store: Store, stranger: SessionKey): Promise<void> {
  const { messages, sessions } = store;
  assertSame(
    await messages.append(stranger, 4, conversation(stranger, 1, 4)),
    false,
    "an append at the end of the other session",
  );
  assertSame(
    await sessions.commit(stranger, { revision: 1, state: "theirs" }),
    false,
    "a commit on the revision of the other session",
  );
  assert(await messages.append(stranger, 0, conversation(stranger, 2)), "a stranger appends the same ids");
  assertSame(await messages.list(stranger), conversation(stranger, 2), "the messages that the stranger appended");
  const theirs = {
    state: "theirs",
    compactions: [compaction("c", 7)],
    receipts: [receipt("r", "theirs")],
    marks: new Map([
      ["m1.0", 2],
      ["m3.0", 2],
    ]),
  };
  assert(await sessions.commit(stranger, { revision: 0, ...theirs }), "a stranger commits the same ids");
  assertSame(await sessions.state(stranger), "theirs", "a stranger's state");
  assertSame(await messages.marks(stranger), new Map([["m1.0", 2]]), "a stranger's marks");
  assert(await sessions.lease(stranger, "stranger", LONG), "a stranger gets a lease");
  await sessions.lease(stranger, HOLDER, 0);
  await sessions.lease(stranger, "stranger", 0);
}
