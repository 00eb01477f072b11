import * as v7 from "ai";
import * as v6 from "ai-v6";
import { beforeAll, describe, expect, it } from "vitest";
import type { MemoryFact } from "../chat/memory-fact.ts";
import { chatTransport } from "./chat-transport.ts";
import { inShort, openSession, SDKS, type Sdk } from "./sdks.fixture.ts";

const fact: MemoryFact = {
  id: "f1",
  fact: "Prefers answers in German",
  category: "preference",
  confidence: 0.9,
  mentionCount: 3,
  firstSeen: 0,
  lastSeen: 0,
  lastSeenConversationId: "c",
  pinned: true,
};

beforeAll(() => {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
});

interface UiMessage {
  id: string;
  role: "user" | "assistant";
  parts: { type: string; text?: string; data?: unknown }[];
}
const said = (id: string, text: string, role: UiMessage["role"] = "user"): UiMessage => ({
  id,
  role,
  parts: [{ type: "text", text }],
});

/** Reads an answer as `useChat` does. */
async function answerOf({ sdk }: Sdk, stream: unknown): Promise<UiMessage> {
  let last: UiMessage | undefined;
  for await (const message of sdk.readUIMessageStream({ stream })) last = message as UiMessage;
  if (last === undefined) throw new Error("there was no answer");
  return last;
}

async function open(sdk: Sdk, facts: () => Promise<readonly MemoryFact[]>, words = "Sure.") {
  const session = await openSession();
  const { model, prompts } = sdk.model((_, call) => [{ type: "text", text: `${words} ${call}` }]);
  const { streamText, convertToModelMessages } = sdk.sdk;
  const transport = chatTransport({ session, model, streamText, convertToModelMessages, facts, system: "Be kind." });
  const send = async (messages: UiMessage[]) => answerOf(sdk, await transport.sendMessages({ messages }));
  return { session, prompts, transport, send };
}

describe.each(SDKS)("chatTransport with AI SDK $name", (sdk) => {
  it("answers with facts about the user and loads them once for several messages", async () => {
    let loads = 0;
    const { session, prompts, transport, send } = await open(sdk, async () => {
      loads += 1;
      return [fact];
    });
    const talk = [said("1", "How are you?")];
    for (const question of ["And now?", "And then?"]) {
      const answer = await send(talk);
      expect(answer.parts.map(({ type }) => type)).not.toContain("data-notice");
      talk.push(answer, said(question, question));
    }
    await send(talk);
    expect(loads).toBe(1);
    for (const prompt of prompts) expect(prompt[0]?.content).toMatch(/^Be kind\.\n\n[\s\S]*Prefers answers in German/);
    transport.refreshFacts();
    await send(talk);
    expect(loads).toBe(2);
    expect(inShort(await session.history())).toEqual([
      "user | How are you?",
      "assistant | Sure. 0",
      "user | And now?",
      "assistant | Sure. 1",
      "user | And then?",
      "assistant | Sure. 2",
      // Asked again, as `regenerate` does.
      "user | And then?",
      "assistant | Sure. 3",
    ]);
  });

  it("answers without memories if they cannot be loaded, says so, and retries with the next message", async () => {
    let loads = 0;
    const { prompts, send } = await open(sdk, async () => {
      loads += 1;
      if (loads === 1) throw new Error("the database is closed");
      return [fact];
    });
    const answer = await send([said("1", "How are you?")]);
    const notice = answer.parts.find(({ type }) => type === "data-notice");
    expect(notice?.data).toEqual({ about: "memory", message: "No memories: the database is closed" });
    expect(answer.parts.find(({ type }) => type === "text")?.text).toBe("Sure. 0");
    expect(prompts[0]?.[0]?.content).toBe("Be kind.");
    const next = await send([said("1", "How are you?"), answer, said("2", "And now?")]);
    expect(next.parts.map(({ type }) => type)).not.toContain("data-notice");
    expect(prompts[1]?.[0]?.content).toContain("Prefers answers in German");
  });

  it("keeps a long chat within its window", async () => {
    const { session, prompts, send } = await open(sdk, async () => [fact], "word ".repeat(400));
    const talk: UiMessage[] = [];
    for (let i = 0; i < 25; i += 1) {
      talk.push(said(`q${i}`, `Question ${i}: ${"why ".repeat(40)}`));
      talk.push(await send(talk));
    }
    expect((await session.compactions()).length).toBeGreaterThan(0);
    expect(prompts.at(-1)?.length).toBeLessThan(40);
    expect(await session.history()).toHaveLength(50);
  });

  it("has no stream to reconnect to", async () => {
    const { transport } = await open(sdk, async () => []);
    expect(await transport.reconnectToStream()).toBeNull();
  });
});

it("matches the ChatTransport type of both versions", async () => {
  const session = await openSession();
  const { convertToModelMessages: convert7, streamText: stream7 } = v7;
  const { convertToModelMessages: convert6, streamText: stream6 } = v6;
  const model = "none";
  const to7: v7.ChatTransport<v7.UIMessage> = chatTransport({
    session,
    model,
    streamText: stream7,
    convertToModelMessages: (messages: v7.UIMessage[]) => convert7(messages),
  });
  const to6: v6.ChatTransport<v6.UIMessage> = chatTransport({
    session,
    model,
    streamText: stream6,
    convertToModelMessages: (messages: v6.UIMessage[]) => convert6(messages),
  });
  expect([to6, to7]).toHaveLength(2);
});
