import { jsonSchema, tool } from "ai";
import { beforeAll, describe, expect, it } from "vitest";
import { toRichWindow } from "../message/to-rich-window.ts";
import { validateWindow } from "../message/validate-window.ts";
import { countTotalTokens } from "../tokens/count-message.ts";
import {
  type Answering,
  type Content,
  FUNCTIONS,
  inShort,
  openSession,
  type Prompted,
  runAgent,
  SDKS,
  SESSION_SDKS,
  WIRINGS,
} from "./sdks.fixture.ts";

const TASK = "Rename every `value` in /src to `amount`. Never touch /src/file-7.ts.";
const STEPS = 16;
const tools = {
  read: tool({
    inputSchema: jsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } }),
    execute: async ({ path }) => `// ${path}\n${"export const value = 1;\n".repeat(60)}`,
  }),
};

/** Reads a number of files, one per step, then finishes. Call ids may restart each time. */
function reader(steps: number, id: (step: number) => string = (step) => `c${step}`): Answering {
  return (_, call): Content[] =>
    call < steps
      ? [
          { type: "text", text: "Let me look." },
          { type: "tool-call", toolCallId: id(call), toolName: "read", input: `{"path":"/src/file-${call}.ts"}` },
        ]
      : [{ type: "text", text: "Done." }];
}

function expectFit(prompts: readonly (readonly Prompted[])[], budget: number): void {
  for (const prompt of prompts) {
    const window = prompt.filter(({ role }) => role !== "system");
    for (const provider of ["openai", "anthropic", "gemini"] as const)
      expect(validateWindow(window, provider)).toEqual([]);
    expect(countTotalTokens(toRichWindow(prompt))).toBeLessThanOrEqual(budget);
    expect(JSON.stringify(prompt)).toContain("Never touch /src/file-7.ts.");
  }
}

beforeAll(() => {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
});

describe.each(SESSION_SDKS)("a session in an agent of AI SDK $name", (sdk) => {
  it.each(Object.entries(WIRINGS).flatMap(([name, wiring]) => FUNCTIONS.map((use) => ({ name, wiring, use }))))(
    "stores every message once, by $name with $use, and each call fits",
    async ({ wiring, use }) => {
      const session = await openSession();
      const { model, prompts } = sdk.model(reader(STEPS));
      const options = { model, tools, system: "Be careful.", messages: [{ role: "user", content: TASK }] };
      const { text } = await runAgent(sdk, use, session, wiring, options);
      expect(text).toBe("Done.");
      expect(prompts).toHaveLength(STEPS + 1);
      expectFit(prompts, 6_000);
      for (const prompt of prompts) expect(prompt[0]).toMatchObject({ role: "system", content: "Be careful." });
      const said = inShort(await session.history());
      const ended = wiring.persist || wiring.middleware ? ["assistant | Done."] : [];
      expect(said).toEqual([
        `user | ${TASK.slice(0, 24)}`,
        ...Array.from({ length: STEPS }, (_, i) => [
          `assistant | Let me look. | call c${i}`,
          `tool | result c${i}`,
        ]).flat(),
        ...ended,
      ]);
      expect((await session.compactions()).length).toBeGreaterThan(0);
    },
  );

  it.each(Object.entries(WIRINGS))("loses nothing by %s if call ids restart with each step", async (_, wiring) => {
    const session = await openSession();
    const { model } = sdk.model(reader(12, () => "call_0"));
    await runAgent(sdk, "generateText", session, wiring, {
      model,
      tools,
      messages: [{ role: "user", content: TASK }],
    });
    const said = inShort(await session.history());
    expect(said.filter((one) => one.includes("result call_0"))).toHaveLength(12);
    expect(said.filter((one) => one.includes("call call_0"))).toHaveLength(12);
  });

  it.each(Object.entries(WIRINGS))("continues by %s with any part of the conversation", async (_, wiring) => {
    const session = await openSession();
    const answers = ["Hello.", "Yes.", "Yes.", "Again.", "Sure."];
    const { model } = sdk.model((_prompt, call) => [{ type: "text", text: answers[call] ?? "?" }]);
    const talk: { role: string; content: unknown }[] = [];
    const ask = async (messages: readonly unknown[]) =>
      (await runAgent(sdk, "generateText", session, wiring, { model, messages })).responseMessages;
    // The whole conversation, twice.
    for (const content of ["Hi", "Is it so?"]) {
      talk.push({ role: "user", content });
      talk.push(...(await ask(talk)));
    }
    // Only the new message, with a text that occurred before.
    await ask([{ role: "user", content: "Is it so?" }]);
    // The first question again, to get another answer.
    await ask([{ role: "user", content: "Hi" }]);
    // A conversation with an edited second question.
    await ask([talk[0], talk[1], { role: "user", content: "Is it not?" }]);
    const said = inShort(await session.history());
    const isRecorded = wiring.persist || wiring.middleware;
    const heard = said.filter((one) => one.startsWith("user"));
    // Without the recorded answer, the same question asks for another answer.
    const again = isRecorded ? ["user | Is it so?"] : [];
    expect(heard).toEqual(["user | Hi", "user | Is it so?", ...again, "user | Hi", "user | Is it not?"]);
    if (isRecorded) {
      const replies = said.filter((one) => one.startsWith("assistant"));
      expect(replies).toEqual(answers.map((answer) => `assistant | ${answer}`));
    }
  });

  it.each(Object.entries(WIRINGS))("continues by %s in another process with the same store", async (_, wiring) => {
    const first = await openSession();
    const { model, prompts } = sdk.model(reader(6));
    const messages: unknown[] = [{ role: "user", content: TASK }];
    const { responseMessages } = await runAgent(sdk, "generateText", first, wiring, { model, tools, messages });
    // Another session object, which only knows the stored history.
    const second = await openSession();
    await second.append(await first.history());
    const again = sdk.model(() => [{ type: "text", text: "Still done." }]);
    await runAgent(sdk, "generateText", second, wiring, {
      model: again.model,
      tools,
      messages: [...messages, ...responseMessages, { role: "user", content: "Sure?" }],
    });
    const said = inShort(await second.history()).slice(0, 15);
    expect(said).toHaveLength(15);
    expect(said.slice(-2)).toEqual(["assistant | Done.", "user | Sure?"]);
    expect(new Set(said).size).toBe(15);
    expect(prompts).toHaveLength(7);
  });

  it("moves system messages to the start, where providers accept them", async () => {
    for (const wiring of Object.values(WIRINGS)) {
      const session = await openSession();
      const { model, prompts } = sdk.model(reader(3));
      const messages = [
        { role: "user", content: TASK },
        {
          role: "system",
          content: "Speak German.",
          providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
        },
        { role: "user", content: "Begin." },
      ];
      await runAgent(sdk, "generateText", session, wiring, { model, tools, messages, allowSystemInMessages: true });
      for (const prompt of prompts) {
        expect(prompt[0]).toMatchObject({
          role: "system",
          content: "Speak German.",
          providerOptions: { anthropic: {} },
        });
        expect(prompt.filter(({ role }) => role === "system")).toHaveLength(1);
      }
      expect(inShort(await session.history())[0]).toMatch(/^user/);
    }
  });

  it("appends memories to the system prompt once, with every step", async () => {
    const memory = async () => ({ text: "<memories>Lives in Oslo.</memories>", sources: ["f1"] });
    const system = "Be careful.";
    for (const wiring of [{ prepareStep: { system, memory } }, { middleware: { memory } }]) {
      const session = await openSession();
      const { model, prompts } = sdk.model(reader(4));
      const messages = [{ role: "user", content: TASK }];
      await runAgent(sdk, "generateText", session, wiring, { model, tools, system, messages });
      for (const prompt of prompts) {
        expect(prompt[0]?.content).toBe("Be careful.\n\n<memories>Lives in Oslo.</memories>");
        expect(prompt[1]?.role).toBe("user");
      }
    }
  });
});

it("requires the system prompt if version 6 does not pass it and memories are appended", async () => {
  const sdk = SDKS.find(({ name }) => name === "6");
  if (sdk === undefined) throw new Error("version 6 is gone");
  const { model } = sdk.model(reader(0));
  const run = runAgent(
    sdk,
    "generateText",
    await openSession(),
    { prepareStep: { memory: true } },
    {
      model,
      messages: [{ role: "user", content: TASK }],
    },
  );
  await expect(run).rejects.toMatchObject({ code: "invalid-option" });
});
