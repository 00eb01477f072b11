import { describe, expect, it } from "vitest";
import { post, proxiedProvider } from "./long-runs.arbitrary.ts";
import type { ProxyOptions } from "./proxy-options.ts";
import type { ProxyRig } from "./proxy-rig.arbitrary.ts";

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
  const remembering = async (proxy: ProxyRig) => {
    const { memory } = await proxy.throughline();
    await memory.remember({ text: "My favourite editor is Helix.", kind: "fact", category: "preference" });
  };

  it.each(paths)("stands behind the system prompt where it is asked for: %s", async (path) => {
    await at.withProxy({}, async (proxy) => {
      await remembering(proxy);
      for (const extra of [{}, systems[path]]) {
        const body = { ...bodies[path], ...extra };
        expect((await post(proxy, path, JSON.stringify(body), on)).tell("compacted")).toBe("0");
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

  it("is off where nobody asks for it, and can be on for all", async () => {
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

  it("changes nothing where nothing fits", async () => {
    await at.withProxy({ memory: true }, async (proxy) => {
      const body = JSON.stringify(bodies.responses);
      await post(proxy, "responses", body);
      expect(at.upstream.log.at(-1)?.body).toBe(body);
    });
  });

  it("is told of what was said where it is on, or whoever reads along in its place is", async () => {
    const heard: unknown[] = [];
    const onAppend: ProxyOptions["onAppend"] = ({ userId }, _, { remember, modelId }) => {
      heard.push({ userId, remember, modelId });
    };
    await at.withProxy({ onAppend }, async (proxy) => {
      await post(proxy, "chat/completions", JSON.stringify(bodies["chat/completions"]), on);
      // Once for what was asked, once for the answer.
      expect(heard).toEqual(Array(2).fill({ userId: "ada", remember: true, modelId: "gpt-4o" }));
    });
  });
});
