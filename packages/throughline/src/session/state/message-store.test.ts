import { beforeEach, describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { NotFoundError, StoreError } from "../../errors/store-errors.ts";
import { callPart, resultPart, say, windowOf } from "../../message/message.arbitrary.ts";
import type { Message } from "../../message/message.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { createThroughline } from "../../throughline.ts";
import { MessageStore } from "./message-store.ts";

const exchange = (): Message[] =>
  windowOf(
    say("user", "Read it"),
    say("assistant", callPart("c")),
    say("tool", resultPart("c", "line ".repeat(300))),
  ).map((message) => ({ ...message, sessionId: "s" }));

describe("MessageStore", () => {
  let store = inProcessStore();
  let messages = new MessageStore(store);

  beforeEach(async () => {
    store = inProcessStore();
    messages = new MessageStore(store);
    for (const message of exchange()) await messages.saveMessage(message);
  });

  it("returns saved messages in order, with their counts", async () => {
    const loaded = await messages.loadMessages("s");
    expect(loaded.map(({ id }) => id)).toEqual(["m0", "m1", "m2"]);
    expect(loaded[2]?.parts[0]).toMatchObject({ type: "tool-result", tokens: expect.any(Number) });
  });

  it("marks a part as compacted and masks it for the model, and keeps its content", async () => {
    await messages.updatePart("m2.0", { compactedAt: 5 });
    const loaded = await messages.loadMessages("s");
    expect(loaded[2]?.parts[0]).toMatchObject({ compactedAt: 5, output: { value: "line ".repeat(300) } });
    expect(JSON.stringify(messages.toModelMessages(loaded))).toContain("Recall it as part:m2.0");
    const [, , stored] = await store.messages.list({ userId: "local", sessionId: "s" });
    expect(stored?.parts[0]).not.toHaveProperty("compactedAt");
  });

  it("refuses to change a message, and unknown parts", async () => {
    await expect(messages.updatePart("m2.0", { toolName: "x" } as never)).rejects.toThrow(InvalidOptionError);
    await expect(messages.updatePart("m0.0", { output: "x" })).rejects.toThrow(InvalidOptionError);
    await expect(messages.updatePart("nothing", { compactedAt: 5 })).rejects.toThrow(NotFoundError);
    await expect(messages.saveMessage(exchange()[0] as Message)).rejects.toThrow(StoreError);
  });

  it("starts at the summary of the last compaction", async () => {
    const session = (await createThroughline({ store })).session("s");
    expect(await messages.getMessagesSinceCompaction("s")).toHaveLength(3);
    await session.append([{ role: "assistant", content: "done" }]);
    await session.compact({ keepTokens: 0, targetTokens: 60 });
    await session.append([{ role: "user", content: "And now?" }]);
    const since = await messages.getMessagesSinceCompaction("s");
    expect(since[0]?.isSummary).toBe(true);
    expect(JSON.stringify(since.at(-1))).toContain("And now?");
    expect(JSON.stringify(since)).not.toContain("line line");
  });

  it("starts at a summary that was saved as a message", async () => {
    const [first] = exchange();
    await messages.saveMessage({ ...(first as Message), id: "sum", role: "assistant", isSummary: true, parts: [] });
    expect((await messages.getMessagesSinceCompaction("s")).map(({ id }) => id)).toEqual(["sum"]);
  });

  it("does not show the messages of another user", async () => {
    const others = new MessageStore(store, { userId: "other" });
    expect(await others.loadMessages("s")).toEqual([]);
    await expect(others.updatePart("m2.0", { compactedAt: 5 })).rejects.toThrow(NotFoundError);
  });
});
