import { describe, expect, it } from "vitest";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { createThroughline } from "../../../../throughline/src/throughline.ts";
import type { ProxyOptions } from "../create-proxy.ts";
import { post, proxiedProvider } from "./long-runs.fixture.ts";
import type { RunningProxy } from "./proxy.fixture.ts";

const at = proxiedProvider();

describe("memory", () => {
  const on = { "x-throughline-memory": "on" };
  const asked = { role: "user", content: "What is my favourite editor?" };
  const bodies = {
    "chat/completions": { model: "gpt-4o", messages: [asked] },
    messages: { model: "claude-sonnet-4-5", max_tokens: 100, messages: [asked] },
    responses: { model: "gpt-4o", input: [asked] },
  };
  const systems = {
    "chat/completions": { messages: [{ role: "developer", content: [{ type: "text", text: "Be brief." }] }, asked] },
    messages: { system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }] },
    responses: { instructions: "Be brief." },
  };
  const paths = Object.keys(bodies) as (keyof typeof bodies)[];
  const remembering = async (proxy: RunningProxy) => {
    const { memory } = await proxy.throughline();
    await memory.remember({ text: "My favourite editor is Helix.", kind: "fact", category: "preference" });
  };

  it.each(paths)("is added after the system prompt on request: %s", async (path) => {
    await at.withProxy({}, async (proxy) => {
      await remembering(proxy);
      for (const extra of [{}, systems[path]]) {
        const body = { ...bodies[path], ...extra };
        expect((await post(proxy, path, JSON.stringify(body), on)).header("compacted")).toBe("0");
        const sent = JSON.parse(at.upstream.log.at(-1)?.body ?? "") as Record<string, unknown>;
        const {
          messages = [],
          system,
          instructions,
        } = sent as { messages?: object[]; system?: unknown; instructions?: unknown };
        const told = JSON.stringify(path === "chat/completions" ? messages[0] : (system ?? instructions));
        expect(told).toContain("Helix");
        expect(told.includes("Be brief.")).toBe(extra === systems[path]);
        expect(JSON.stringify(messages.slice(path === "chat/completions" ? 1 : 0))).not.toContain("Helix");
      }
    });
  });

  it("is off by default, and can be enabled for all requests", async () => {
    const body = JSON.stringify(bodies["chat/completions"]);
    await at.withProxy({}, async (proxy) => {
      await remembering(proxy);
      await post(proxy, "chat/completions", body);
      expect(at.upstream.log.at(-1)?.body).toBe(body);
    });
    await at.withProxy({ memory: true }, async (proxy) => {
      await remembering(proxy);
      await post(proxy, "chat/completions", body);
      expect(at.upstream.log.at(-1)?.body).toContain("Helix");
      await post(proxy, "chat/completions", body, { "x-throughline-memory": "off" });
      expect(at.upstream.log.at(-1)?.body).toBe(body);
    });
  });

  it("changes nothing without a match", async () => {
    await at.withProxy({ memory: true }, async (proxy) => {
      const body = JSON.stringify(bodies.responses);
      await post(proxy, "responses", body);
      expect(at.upstream.log.at(-1)?.body).toBe(body);
    });
  });

  it("is extracted from the conversation if enabled, or by the callback", async () => {
    const upstreamReply: unknown[] = [];
    const onAppend: ProxyOptions["onAppend"] = ({ userId }, _, { remember, modelId }) => {
      upstreamReply.push({ userId, remember, modelId });
    };
    await at.withProxy({ onAppend }, async (proxy) => {
      await post(proxy, "chat/completions", JSON.stringify(bodies["chat/completions"]), on);
      // Once for the request, once for the answer.
      expect(upstreamReply).toEqual(Array(2).fill({ userId: "ada", remember: true, modelId: "gpt-4o" }));
    });
  });
});

describe("text that a client adds to a user message", () => {
  const about = "You have been invoked in the folder app. The platform is linux. The database of the tests is SQLite. ";
  const question = "Which database holds the invoices?";
  const text = (said: string) => ({ type: "text", text: said });
  const reminder = (id: number) =>
    text(`<system-reminder>\n# Environment ${id}\n${about.repeat(12)}\n</system-reminder>`);
  const reminders = Array.from({ length: 9 }, (_, id) => reminder(id));
  const clients: Readonly<Record<string, readonly object[]>> = {
    "reminders in front": [{ role: "user", content: [...reminders, text(question)] }],
    "reminders in the text itself": [
      { role: "user", content: `${reminders.map(({ text }) => text).join("")}${question}` },
    ],
    "a reminder as a message of its own behind": [
      { role: "user", content: question },
      { role: "user", content: [reminder(9)] },
    ],
    "an environment in front": [
      { role: "user", content: `<environment_context>\n${about.repeat(20)}\n</environment_context>` },
      { role: "user", content: question },
    ],
    "an environment behind": [
      {
        role: "user",
        content: [text(question), text(`<environment_details>\n${about.repeat(20)}\n</environment_details>`)],
      },
    ],
    "quotes around it": [{ role: "user", content: `"${question}"` }],
  };
  const bodyOf = (messages: readonly object[]) =>
    JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 100, messages });

  it.each(Object.entries(clients))("is not used to search memories: %s", async (_, messages) => {
    await at.withProxy({ memory: true }, async (proxy) => {
      const { memory } = await proxy.throughline();
      await memory.remember({ text: "The invoices database is PostgreSQL 16.", kind: "fact" });
      await memory.remember({ text: "The platform of the build machines is FreeBSD.", kind: "fact" });
      await post(proxy, "messages", bodyOf(messages));
      const sent = JSON.parse(at.upstream.log.at(-1)?.body ?? "") as { system: string; messages: unknown };
      expect(sent.system).toContain("PostgreSQL 16");
      expect(sent.system).not.toContain("FreeBSD");
      // The provider gets all messages.
      expect(sent.messages).toEqual(messages);
    });
  });

  it("is not stored as an utterance of the user", async () => {
    const store = { ...inProcessStore(), close: async () => undefined };
    await at.withProxy({ store, memory: true }, async (proxy) => {
      for (const messages of Object.values(clients)) await post(proxy, "messages", bodyOf(messages));
      await (await proxy.throughline()).close();
    });
    const { memory } = await createThroughline({ store, userId: "ada" });
    const recalled = await memory.recall("the environment that was invoked, its platform and database", {
      cut: "none",
      limit: 100,
    });
    const said = recalled.filter(({ source }) => source.speaker !== "assistant").map((hit) => hit.text);
    expect(new Set(said.map((words) => words.replaceAll('"', "")))).toEqual(new Set([question]));
  });
});
