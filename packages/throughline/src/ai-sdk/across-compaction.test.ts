import { jsonSchema, tool } from "ai";
import { beforeAll, describe, expect, it } from "vitest";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import { validateWindow } from "../message/validate-window.ts";
import { type Content, openSession, type Prompted, runAgent, SESSION_SDKS, SMALL, WIRINGS } from "./sdks.fixture.ts";

const TASK = "Clean up /tmp/build. Ask before you remove anything.";
const SECRET = "a secret that signs approvals";
const LONG = "a line of output\n".repeat(150);

const parameters = jsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } });
const removed: string[] = [];
const tools = {
  read: tool({ inputSchema: parameters, execute: async () => LONG }),
  remove: tool({
    inputSchema: parameters,
    needsApproval: true,
    execute: async ({ path }) => {
      removed.push(path);
      return `removed ${path}`;
    },
  }),
};
const call = (toolName: string, id: string, more: object = {}): Content => ({
  type: "tool-call",
  toolCallId: id,
  toolName,
  input: JSON.stringify({ path: `/tmp/build/${id}` }),
  ...more,
});
const partsOf = (prompt: readonly Prompted[] | undefined) =>
  (prompt ?? []).flatMap(({ content }) => (typeof content === "string" ? [] : content));

/** Steps that fill the window. */
const work = (from: number, count: number) => Array.from({ length: count }, (_, i) => [call("read", `r${from + i}`)]);

beforeAll(() => {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
});

describe.each(SESSION_SDKS)("across a compaction, with AI SDK $name", (sdk) => {
  const legal = (prompts: readonly (readonly Prompted[])[]) => {
    for (const prompt of prompts) {
      const window = prompt.filter(({ role }) => role !== "system");
      for (const provider of ["openai", "anthropic", "gemini"] as const)
        expect(validateWindow(window, provider)).toEqual([]);
    }
  };

  it.each(Object.entries(WIRINGS))(
    "a pending approval is asked, answered and carried out, by %s",
    async (_, wiring) => {
      removed.length = 0;
      const session = await openSession(SMALL);
      const script = [...work(0, 8), [call("remove", "x1")], ...work(8, 8), [{ type: "text", text: "Clean." }]];
      const { model, prompts } = sdk.model((_prompt, index) => script[index] as Content[]);
      const messages: ForeignModelMessage[] = [{ role: "user", content: TASK }];
      const run = async () => {
        const options = { model, tools, messages, experimental_toolApprovalSecret: SECRET };
        const result = await runAgent(sdk, "generateText", session, wiring, options);
        messages.push(...result.responseMessages);
        return result;
      };
      await run();
      const asked = messages.flatMap(
        ({ content }) => content as { type: string; approvalId: string; signature?: string }[],
      );
      const request = asked.find(({ type }) => type === "tool-approval-request");
      expect(removed).toEqual([]);
      if (sdk.name === "7") expect(request?.signature).toBeTypeOf("string");
      // The session is compacted while the approval is pending.
      await session.compact({ keepTokens: 0 });
      messages.push({
        role: "tool",
        content: [{ type: "tool-approval-response", approvalId: request?.approvalId, approved: true }],
      });
      const { text } = await run();
      expect(text).toBe("Clean.");
      expect(removed).toEqual(["/tmp/build/x1"]);
      legal(prompts);
      const done = partsOf(prompts[9]).filter(({ toolCallId }) => toolCallId === "x1");
      expect(done.map(({ type }) => type)).toEqual(["tool-call", "tool-result"]);
      expect(done[0]?.input).toEqual({ path: "/tmp/build/x1" });
      expect((await session.compactions()).length).toBeGreaterThan(0);
    },
  );

  it("a pending approval stays in the window with its signature", async () => {
    removed.length = 0;
    const session = await openSession(SMALL);
    const script = [...work(0, 10), [call("remove", "x1")]];
    const { model } = sdk.model((_prompt, index) => script[index] as Content[]);
    const options = {
      model,
      tools,
      experimental_toolApprovalSecret: SECRET,
      messages: [{ role: "user", content: TASK }],
    };
    await runAgent(sdk, "generateText", session, { prepareStep: true, persist: true }, options);
    const before = (await session.history()).at(-1);
    await session.compact({ keepTokens: 0 });
    const { messages } = await session.prepare();
    const request = (before?.parts ?? []).find(({ type }) => type === "tool-approval-request");
    const approvalId = request?.type === "tool-approval-request" ? request.approvalId : "";
    // The SDK uses the window as its messages and checks the signature against the call in it.
    const again = sdk.model(() => [{ type: "text", text: "Gone." }]);
    const answered = [
      ...messages,
      { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] },
    ];
    const { text } = await runAgent(
      sdk,
      "generateText",
      session,
      { prepareStep: true, persist: true },
      {
        ...options,
        model: again.model,
        messages: answered,
      },
    );
    expect(text).toBe("Gone.");
    expect(removed).toEqual(["/tmp/build/x1"]);
    legal(again.prompts);
    const history = await session.history();
    expect(history.filter(({ parts }) => parts.some((part) => part.type === "tool-approval-request"))).toHaveLength(1);
    expect(history.filter(({ parts }) => parts.some((part) => part.type === "tool-approval-response"))).toHaveLength(1);
  });

  it.each(Object.entries(WIRINGS))("a call that the provider ran stays with its result, by %s", async (_, wiring) => {
    const session = await openSession(SMALL);
    const search: Content[] = [
      { type: "tool-call", toolCallId: "w1", toolName: "web_search", input: "{}", providerExecuted: true },
      {
        type: "tool-result",
        toolCallId: "w1",
        toolName: "web_search",
        result: [{ title: "Builds" }],
        providerExecuted: true,
      },
      { type: "text", text: "Found it." },
      call("read", "after"),
    ];
    const script = [...work(0, 10), search, ...work(10, 2), [{ type: "text", text: "Done." }]];
    const { model, prompts } = sdk.model((_prompt, index) => script[index] as Content[]);
    await runAgent(sdk, "generateText", session, wiring, { model, tools, messages: [{ role: "user", content: TASK }] });
    legal(prompts);
    const kept = partsOf(prompts[11]).filter(({ toolCallId }) => toolCallId === "w1");
    expect(kept).toMatchObject([
      { type: "tool-call", providerExecuted: true },
      { type: "tool-result", output: { type: "json", value: [{ title: "Builds" }] } },
    ]);
    expect((await session.compactions()).length).toBeGreaterThan(0);
  });

  it.each(Object.entries(WIRINGS))("reasoning keeps its signature, by %s", async (_, wiring) => {
    const session = await openSession(SMALL);
    const thinking = (id: string): Content[] => [
      { type: "reasoning", text: `I read ${id}.`, providerMetadata: { anthropic: { signature: `sig-${id}` } } },
      call("read", id),
    ];
    const script = [
      ...Array.from({ length: 14 }, (_unused, i) => thinking(`t${i}`)),
      [{ type: "text", text: "Done." }],
    ];
    const { model, prompts } = sdk.model((_prompt, index) => script[index] as Content[]);
    await runAgent(sdk, "generateText", session, wiring, { model, tools, messages: [{ role: "user", content: TASK }] });
    legal(prompts);
    for (const prompt of prompts) {
      for (const { content } of prompt) {
        if (typeof content === "string") continue;
        const call = content.find(({ type }) => type === "tool-call");
        const reasoning = content.find(({ type }) => type === "reasoning");
        if (call !== undefined && reasoning !== undefined) {
          expect(reasoning.providerOptions).toEqual({ anthropic: { signature: `sig-${call.toolCallId}` } });
        }
      }
      const last = partsOf(prompt).findLast(({ type }) => type === "reasoning");
      if (prompt !== prompts[0]) expect(last).toMatchObject({ providerOptions: { anthropic: {} } });
    }
    expect((await session.compactions()).length).toBeGreaterThan(0);
  });

  it.each(Object.entries(WIRINGS))(
    "the provider's own compaction stays before the summary, by %s",
    async (_, wiring) => {
      const text: Content = {
        type: "text",
        text: "Summary by the provider.",
        providerMetadata: { anthropic: { type: "compaction" } },
      };
      const custom: Content = {
        type: "custom",
        kind: "openai.compaction",
        providerMetadata: { openai: { itemId: "cmp_1", encryptedContent: "c2VjcmV0" } },
      };
      for (const native of sdk.name === "7" ? [text, custom] : [text]) {
        const session = await openSession(SMALL);
        const script = [[native, call("read", "n1")], ...work(0, 24), [{ type: "text", text: "Done." }]];
        const { model, prompts } = sdk.model((_prompt, index) => script[index] as Content[]);
        await runAgent(sdk, "generateText", session, wiring, {
          model,
          tools,
          messages: [{ role: "user", content: TASK }],
        });
        legal(prompts);
        expect((await session.compactions()).length).toBeGreaterThan(1);
        const { type, providerMetadata: providerOptions } = native;
        for (const prompt of prompts.slice(1)) {
          const parts = partsOf(prompt);
          const at = parts.findIndex(
            (part) => part.type === type && JSON.stringify(part.providerOptions) === JSON.stringify(providerOptions),
          );
          const summary = parts.findIndex((part) => `${part.text}`.includes("## Session Summary"));
          expect(at).toBeGreaterThan(0);
          if (summary >= 0) expect(at).toBeLessThan(summary);
        }
      }
    },
  );
});
