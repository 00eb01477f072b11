import { expect, it } from "vitest";
import { inProcessStore } from "../../store/in-process.ts";
import { said } from "../../test/samples.ts";
import type { IngestMessage } from "./memory-api.ts";
import { readSession } from "./session-reader.ts";

it("reads the head and the tail of a message of more than 1,000,000 characters", async () => {
  const key = { owner: "ann", sessionId: "s" };
  const { messages } = inProcessStore();
  await messages.append(key, 0, [said(key, "long", `first ${"x".repeat(3_000_000)} last`), said(key, "short", "Hi.")]);
  const read: IngestMessage[] = [];
  const ingest = async (input: { readonly messages: readonly IngestMessage[] }) => {
    read.push(...input.messages);
    return { turns: [], memories: [] };
  };
  for await (const _ of readSession({ messages, ingest }, key, 0));
  expect(read.map(({ text }) => text.length)).toEqual([1_000_000, 3]);
  expect(read[0]?.text).toMatch(/^first x+\n…\nx+ last$/);
});
