import { describe, expect, it } from "vitest";
import { ask } from "../test/ask.ts";
import { bareModelManager, stateWhere } from "../test/bare-model-manager.fixture.ts";
import { memoryStorage } from "../test/memory-storage.ts";
import { hangs, json, openAiServer, text } from "../test/openai-server.ts";

const isThere = ({ choices }: { readonly choices: readonly { readonly id: string }[] }) =>
  choices.some(({ id }) => id === "server");

describe("the server's model", () => {
  it("is a choice if the server has one, and answers", async () => {
    await using server = await openAiServer();
    const manager = bareModelManager({ origin: server.origin });
    const { choices } = await stateWhere(manager, isThere);
    const { host } = new URL(server.origin);
    expect(choices.find(({ id }) => id === "server")).toMatchObject({ label: "tiny", place: "server", host });
    await manager.choose("server");
    const { current } = manager.getSnapshot();
    expect(current).toMatchObject({ choiceId: "server", modelId: "tiny", place: "server", contextLimit: 8_192 });
    expect(await ask(current)).toMatchObject({ text: "Hello there." });
    expect(server.received.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it.each([
    ["has none", text(404, "")],
    ["answers every address with its page", text(200, "<!doctype html>", { "content-type": "text/html" })],
    ["has an empty list", json(200, { data: [] })],
    ["cannot reach it", text(502, "")],
    ["is silent", hangs],
  ])("is no choice where the server %s, and shows no error", async (_, behavior) => {
    await using server = await openAiServer(behavior);
    const silenceMs = 100;
    const timeouts = { silenceMs, wholeMs: silenceMs };
    const manager = bareModelManager({ origin: server.origin, timeouts: { remote: timeouts, local: timeouts } });
    await manager.look();
    expect(isThere(manager.getSnapshot())).toBe(false);
    expect(manager.getSnapshot().problem).toBeUndefined();
    await manager.choose("server");
    expect(manager.getSnapshot().problem).toMatch(/has no model/);
  });

  it("is opened again on the next visit without a message being sent", async () => {
    await using server = await openAiServer();
    const storage = memoryStorage();
    storage.setItem("throughline.models.choice", "server");
    const manager = bareModelManager({ origin: server.origin, storage });
    await stateWhere(manager, ({ current }) => current !== undefined);
    expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/models"]);
  });
});
