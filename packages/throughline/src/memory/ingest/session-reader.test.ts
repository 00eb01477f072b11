import { expect, it } from "vitest";
import { inProcessStore } from "../../store/in-process.ts";
import { said, withParts } from "../../test/samples.ts";
import type { IngestMessage } from "../memory-api.ts";
import { readSession, readSpeech } from "./session-reader.ts";

async function readOf(text: string): Promise<readonly IngestMessage[]> {
  const key = { userId: "ann", sessionId: "s" };
  const { messages } = inProcessStore();
  await messages.append(key, 0, [said(key, "long", text), said(key, "short", "Hi.")]);
  const read: IngestMessage[] = [];
  const ingest = async (input: { readonly messages: readonly IngestMessage[] }) => {
    read.push(...input.messages);
    return { turns: [], memories: [] };
  };
  for await (const _ of readSession({ messages, ingest }, key, 0));
  return read;
}

it("reads the head and the tail of a message of more than 1,000,000 characters", async () => {
  const read = await readOf(`first ${"x ".repeat(1_500_000)} last`);
  expect(read.map(({ text }) => text.length)).toEqual([1_000_003, 3]);
  expect(read[0]?.text).toMatch(/^first (x )+\n…\n[x ]+ last$/);
});

it("omits a secret that a cut would split", async () => {
  const key = ["BEGIN", "END"].map((word) => `-----${word} PRIVATE KEY-----`);
  const secret = [key[0], ...Array.from({ length: 30 }, (_, at) => `MIIline${at}`.padEnd(64, "k")), key[1]].join("\n");
  const half = Math.floor(secret.length / 2);
  const before = "word ".repeat(150_000).slice(0, 750_000 - half - 1);
  const middle = "word ".repeat(200_000);
  const after = "word ".repeat(50_000).slice(0, 250_000 - half - 1);
  const [{ text } = { text: "" }] = await readOf(`${before}\n${secret}\n${middle}\n${secret}\n${after}`);
  expect(text.length).toBeGreaterThan(990_000);
  expect(text).not.toContain("MIIline");
});

const KEY = { userId: "ann", sessionId: "s" };

function replyOf(...texts: readonly (string | undefined)[]) {
  const parts = texts.map((text, at) => {
    const id = `p${at}`;
    const counted = { tokens: 1, countedBy: "o200k" } as const;
    if (text !== undefined) return { id, type: "text", text, ...counted } as const;
    return { id, type: "tool-call", toolCallId: id, toolName: "read", input: {}, ...counted } as const;
  });
  return readSpeech(withParts(KEY, "m", parts));
}

it.each([
  "Let me look at the tests.",
  "Now I'll run the linter to verify the changes:",
  "Good, now let me update the other file.",
])("an announcement before a tool call is no evidence: %s", (text) => {
  expect(replyOf(text, undefined)).toBe("");
  expect(replyOf(text)).toBe("");
});

it.each([
  "I'm reading the changelog first, because the tests never mention the flag.",
  "Two files only differ in their default, so I'm comparing them line by line instead of guessing.",
])("an announcement before a tool call is no evidence, even with a reason: %s", (text) => {
  expect(replyOf(text, undefined)).toBe("");
});

it.each([
  "The build fails because the cache key misses the Node version. Let me fix that.",
  "I used a queue instead of a lock, so that writers never wait.",
])("a cause or a decision before a tool call is evidence: %s", (text) => {
  expect(replyOf(text, undefined)).toBe(text);
});

it("stores the answer after the last tool call as an utterance", () => {
  expect(replyOf("Let me check.", undefined, "The port is set in config/server.yaml.")).toBe(
    "The port is set in config/server.yaml.",
  );
});
