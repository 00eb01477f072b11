import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import { InvalidMessageError } from "../errors/input-errors.ts";
import { sdkMessage } from "../message/convert/ai-sdk.arbitrary.ts";
import { convertModelToRich } from "../message/convert/ai-sdk.ts";
import { convertAnthropicToRich } from "../message/convert/anthropic.ts";
import { anthropicExample, chatExample, responsesExample } from "../message/convert/conversations.fixture.ts";
import { convertGeminiToRich } from "../message/convert/gemini.ts";
import { convertChatToRich } from "../message/convert/openai/openai-chat.ts";
import { convertResponsesToRich } from "../message/convert/openai/openai-responses.ts";
import { uiMessages } from "../message/convert/ui-message.arbitrary.ts";
import { convertUiToRich } from "../message/convert/ui-message.ts";
import { say, windowOf } from "../message/message.arbitrary.ts";
import { QUIET } from "../ports/logger.ts";
import { inProcessStore } from "../store/in-process.ts";
import { sqliteStore } from "../store/sqlite/sqlite-store.ts";
import { createThroughline } from "../throughline.ts";
import type { Session } from "./session.ts";

const GEMINI = [
  { role: "user", parts: [{ text: "How warm is it?" }] },
  { role: "model", parts: [{ functionCall: { name: "weather", args: { city: "Bern" } } }] },
  { role: "user", parts: [{ functionResponse: { name: "weather", response: { degrees: 21 } } }] },
];
const UI = [
  { id: "u1", role: "user", parts: [{ type: "text", text: "How warm is it?" }] },
  {
    id: "u2",
    role: "assistant",
    parts: [{ type: "tool-weather", toolCallId: "c1", state: "output-available", input: {}, output: { degrees: 21 } }],
  },
];
const [OWN] = windowOf(say("user", "Hello"));

async function sessions(): Promise<readonly Session[]> {
  const stores = [inProcessStore(), sqliteStore(":memory:")];
  const opened = await Promise.all(stores.map((store) => createThroughline({ store, logger: QUIET })));
  return opened.map((one) => one.session("s", { modelId: "gpt-4o" }));
}

/** Appends a list: the error, or `undefined` if the session has all of it and can be prepared. */
async function tryAppend(session: Session, list: unknown): Promise<InvalidMessageError | undefined> {
  const before = await session.history();
  try {
    await session.append(list as never);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidMessageError);
    expect(await session.history()).toEqual(before);
    return error as InvalidMessageError;
  }
  const turn = await session.prepare({ budget: 100_000 });
  expect(JSON.stringify(turn.messages)).not.toContain("[undefined]");
  return undefined;
}

/** Appends a list to a session in each store, with the same result. */
async function tryInBoth(list: unknown): Promise<InvalidMessageError | undefined> {
  const [first, second] = await sessions();
  if (first === undefined || second === undefined) throw new Error("Two sessions expected.");
  const error = await tryAppend(first, list);
  expect((await tryAppend(second, list))?.message).toBe(error?.message);
  return error;
}

describe("session.append", () => {
  it.each([
    ["convertGeminiToRich", "a text without a type", GEMINI.slice(0, 1)],
    ["convertGeminiToRich", "the role model", GEMINI.slice(1, 2)],
    ["convertUiToRich", "parts without ids", UI.slice(0, 1)],
    ["convertUiToRich", "a part of a tool", UI.slice(1)],
  ])("names %s for a message with %s, and stores nothing", async (convert, _, messages) => {
    const error = await tryInBoth([OWN, ...messages]);
    expect(error?.place.message).toBe(1);
    expect(error?.message).toContain(`${convert} from "throughline/messages"`);
  });

  it.each([
    ["unknown role", { ...OWN, role: "robot" }],
    ["id must be", { ...OWN, id: 7 }],
    ["createdAt must be", { ...OWN, createdAt: "today" }],
    ["unknown type of part", { ...OWN, parts: [{ id: "p", type: "poem", text: "Roses" }] }],
    ["text must be", { ...OWN, parts: [{ id: "p", type: "text", text: 7 }] }],
    ["id must be", { ...OWN, parts: [{ type: "text", text: "Hello" }] }],
    ["output must be", { ...OWN, parts: [{ id: "p", type: "tool-result", toolCallId: "c", toolName: "t" }] }],
    ["expected an object", { ...OWN, parts: [null] }],
    ["bigint cannot be stored", { ...OWN, parts: [{ id: "p", type: "opaque", format: "gemini", value: 1n }] }],
  ])("refuses a message of its own form: %s", async (problem, message) => {
    const error = await tryInBoth([OWN, message]);
    expect(error?.message).toMatch(/^Invalid message 1(, part 0)?: /);
    expect(error?.message).toContain(problem);
  });

  it.each([
    ["Anthropic", convertAnthropicToRich(anthropicExample)],
    ["OpenAI chat", convertChatToRich(chatExample)],
    ["OpenAI responses", convertResponsesToRich(responsesExample)],
    ["Gemini", convertGeminiToRich(GEMINI)],
    ["the AI SDK's interface", convertUiToRich(UI)],
    ["the AI SDK", convertModelToRich([{ role: "user", content: "Hello" }])],
  ])("accepts the converted messages of %s", async (_, messages) => {
    expect(await tryInBoth(messages)).toBeUndefined();
  });

  it("accepts all that the converters of the AI SDK return", async () => {
    const converted = fc.oneof(
      fc.array(sdkMessage(7), { minLength: 1, maxLength: 4 }).map((list) => convertModelToRich(list as never)),
      uiMessages(7).map((list) => convertUiToRich(list)),
    );
    await fc.assert(
      fc.asyncProperty(converted, async (list) => {
        expect(await tryInBoth(list)).toBeUndefined();
      }),
      { numRuns: cases(60) },
    );
  });
});

const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true });
const part = fc.record(
  {
    id: fc.oneof({ weight: 4, arbitrary: fc.string() }, anything),
    type: fc.oneof(fc.constantFrom("text", "file", "tool-call", "tool-result", "opaque", "step-start"), anything),
    text: fc.oneof({ weight: 4, arbitrary: fc.string() }, anything),
    data: fc.oneof(fc.record({ type: fc.constant("url"), url: fc.constant("https://example.com/a.png") }), anything),
    mediaType: fc.oneof(fc.constant("image/png"), anything),
    toolCallId: fc.oneof(fc.constant("c1"), anything),
    toolName: fc.oneof(fc.constant("t"), anything),
    input: anything,
    output: fc.oneof(fc.record({ type: fc.constant("json"), value: anything }), anything),
    format: fc.oneof(fc.constant("gemini"), anything),
    value: anything,
    providerOptions: anything,
    foreign: anything,
  },
  { requiredKeys: ["id", "type", "text"] },
);
const message = fc.record(
  {
    id: fc.oneof({ weight: 4, arbitrary: fc.string() }, anything),
    sessionId: fc.oneof({ weight: 4, arbitrary: fc.constantFrom("", "s") }, anything),
    role: fc.oneof({ weight: 8, arbitrary: fc.constantFrom("system", "user", "assistant", "tool", "model") }, anything),
    parts: fc.oneof({ weight: 8, arbitrary: fc.array(part, { maxLength: 3 }) }, anything),
    content: anything,
    createdAt: fc.oneof(fc.nat(), anything),
    tokens: fc.oneof(fc.nat(), anything),
    parentId: anything,
    providerOptions: anything,
    foreign: anything,
  },
  { requiredKeys: ["id", "sessionId", "role"] },
);

describe("a list of any objects", () => {
  it("is appended and can be prepared, or is refused and leaves the history unchanged, in each store", async () => {
    const list = fc.oneof(fc.array(message, { minLength: 1, maxLength: 3 }), anything, fc.array(anything));
    await fc.assert(
      fc.asyncProperty(list, async (messages) => {
        await tryInBoth(messages);
      }),
      { numRuns: cases(400) },
    );
  });
});
