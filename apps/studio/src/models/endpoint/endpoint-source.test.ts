import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bareModelManager } from "../test/bare-model-manager.fixture.ts";
import { memoryStorage } from "../test/memory-storage.ts";
import { isSameServer, locateEndpoint, readAddress } from "./address.ts";
import { contextLimitOf, guardedFetch } from "./ask-models.ts";

const KEY = "sk-test-0123456789abcdef";
const OPENROUTER = { label: "Router", baseUrl: "https://openrouter.ai/api/v1", modelId: "openai/gpt-4o", apiKey: KEY };

describe("an address", () => {
  it("is saved without spaces and slashes around it", () => {
    expect(readAddress(" http://localhost:11434/v1// ")).toBe("http://localhost:11434/v1");
  });

  it.each([
    "",
    "nonsense",
    "ftp://a/v1",
    "javascript:alert(1)",
    "https://me:pw@a/v1",
    "https://a/v1?key=1",
    "https://a/#x",
  ])("is refused as %j, with an explanation", (entered) => expect(() => readAddress(entered)).toThrow(/URL/));

  it.each([
    ["localhost:11434/v1", "http://localhost:11434/v1"],
    ["127.0.0.1:4972/v1", "http://127.0.0.1:4972/v1"],
    ["[::1]:1234/v1", "http://[::1]:1234/v1"],
    ["openrouter.ai/api/v1", "https://openrouter.ai/api/v1"],
  ])("is completed without a scheme: %s", (entered, address) => {
    expect(readAddress(entered)).toBe(address);
    expect(isSameServer(entered, address)).toBe(true);
  });

  it("is unchanged by normalizing it again", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: false, withFragments: false }), (url) => {
        const once = readAddress(url);
        expect(readAddress(once)).toBe(once);
        expect(isSameServer(once, url)).toBe(true);
      }),
    );
  });
});

describe("the destination of messages", () => {
  it.each([
    ["https://openrouter.ai/api/v1", "x", "remote", "Sent to openrouter.ai"],
    ["http://192.168.0.2:11434/v1", "x", "remote", "Sent to 192.168.0.2:11434"],
    ["http://localhost.evil.example/v1", "x", "remote", "Sent to localhost.evil.example"],
    ["http://127.0.0.1.evil.example/v1", "x", "remote", "Sent to 127.0.0.1.evil.example"],
    ["http://localhost:11434/v1", "llama3.2", "device", "Sent to localhost:11434 on this device"],
    ["http://127.0.0.1:1234/v1", "x", "device", "Sent to 127.0.0.1:1234 on this device"],
    ["http://[::1]:1234/v1", "x", "device", "Sent to [::1]:1234 on this device"],
    [
      "http://localhost:11434/v1",
      "gpt-oss:120b-cloud",
      "remote",
      "Sent to localhost:11434, which forwards it to the cloud",
    ],
  ])("%s with %s: %s", (baseUrl, modelId, place, says) => {
    expect(locateEndpoint(baseUrl, modelId)).toMatchObject({ place, says });
  });

  it("is never another server than the endpoint's", async () => {
    const asked: string[] = [];
    const fetchIt = guardedFetch(
      async (input) => {
        asked.push(String(input));
        return new Response();
      },
      "https://a.example/v1",
      "omit",
    );
    await expect(fetchIt("https://b.example/v1/models")).rejects.toThrow(/only reach a\.example/);
    expect(asked).toEqual([]);
  });
});

describe("the context limit of a model", () => {
  it("is the value that the user entered", () => expect(contextLimitOf("gpt-4o", "remote", 2_000)).toBe(2_000));
  it("is the value of the registry", () => expect(contextLimitOf("openai/gpt-4o", "remote")).toBe(128_000));
  it("is 8,192 if it is unknown", () => expect(contextLimitOf("my-own", "remote")).toBe(8_192));
  it("is 8,192 for a local server, even if the model supports more", () =>
    expect(contextLimitOf("gpt-4o", "device")).toBe(8_192));
});

describe("the saved endpoints", () => {
  it("are there on the next visit, with their key only in the device's storage", async () => {
    const storage = memoryStorage();
    const manager = bareModelManager({ storage });
    const saved = await manager.saveEndpoint(OPENROUTER);
    expect(storage.all()).toContain(KEY);
    const later = bareModelManager({ storage });
    expect(later.endpoints()).toEqual([saved]);
    expect(saved).toEqual({
      id: "1",
      label: "Router",
      baseUrl: OPENROUTER.baseUrl,
      modelId: "openai/gpt-4o",
      hasKey: true,
      keyEnd: "cdef",
    });
    expect(JSON.stringify([later.endpoints(), later.getSnapshot()])).not.toContain(KEY);
  });

  it("show nothing of a short key", async () => {
    const saved = await bareModelManager().saveEndpoint({ ...OPENROUTER, apiKey: "short" });
    expect(saved).toMatchObject({ hasKey: true });
    expect(saved.keyEnd).toBeUndefined();
  });

  it("keep their key when something else is changed, and lose it with another server or an empty one", async () => {
    const storage = memoryStorage();
    const manager = bareModelManager({ storage });
    const { apiKey: _, ...keyless } = OPENROUTER;
    const { id } = await manager.saveEndpoint(OPENROUTER);
    expect(await manager.saveEndpoint({ ...keyless, id, label: "New" })).toMatchObject({ label: "New", hasKey: true });
    expect(await manager.saveEndpoint({ ...keyless, id, baseUrl: "https://else.example/v1" })).toMatchObject({
      hasKey: false,
    });
    expect(storage.all()).not.toContain(KEY);
    await manager.saveEndpoint({ ...OPENROUTER, id });
    expect(await manager.saveEndpoint({ ...OPENROUTER, id, apiKey: "" })).toMatchObject({ hasKey: false });
  });

  it("are called as their model if they have no name", async () => {
    expect(await bareModelManager().saveEndpoint({ ...OPENROUTER, label: " " })).toMatchObject({
      label: "openai/gpt-4o",
    });
  });

  it("are refused without a model", async () => {
    await expect(bareModelManager().saveEndpoint({ ...OPENROUTER, modelId: " " })).rejects.toThrow(
      /Enter a model name/,
    );
  });

  it("name the destination of messages", async () => {
    const manager = bareModelManager();
    await manager.saveEndpoint(OPENROUTER);
    const choice = manager.getSnapshot().choices.find(({ id }) => id === "endpoint:1");
    expect(choice).toEqual({
      id: "endpoint:1",
      label: "Router",
      place: "remote",
      host: "openrouter.ai",
      detail: "openai/gpt-4o. Sent to openrouter.ai",
    });
  });

  it("of two tabs do not overwrite each other", async () => {
    const storage = memoryStorage();
    const one = bareModelManager({ storage, newId: () => "one" });
    const two = bareModelManager({ storage, newId: () => "two" });
    await one.saveEndpoint(OPENROUTER);
    await two.saveEndpoint(OPENROUTER);
    await one.look();
    expect(one.endpoints().map(({ id }) => id)).toEqual(["one", "two"]);
    expect(one.getSnapshot().choices.map(({ id }) => id)).toContain("endpoint:two");
  });

  it("are gone with their key when they are removed, and are not in use any more", async () => {
    const storage = memoryStorage();
    const manager = bareModelManager({ storage });
    const { id } = await manager.saveEndpoint(OPENROUTER);
    await manager.choose(`endpoint:${id}`);
    await manager.removeEndpoint(id);
    expect(manager.getSnapshot().current).toBeUndefined();
    expect(storage.all()).not.toContain(KEY);
  });

  it("change under the model that is in use", async () => {
    const manager = bareModelManager();
    const { id } = await manager.saveEndpoint(OPENROUTER);
    await manager.choose(`endpoint:${id}`);
    await manager.saveEndpoint({ ...OPENROUTER, id, modelId: "openai/gpt-4o-mini", contextLimit: 9_000 });
    expect(manager.getSnapshot().current).toMatchObject({ modelId: "openai/gpt-4o-mini", contextLimit: 9_000 });
  });

  it("last until the tab is closed if the browser stores nothing, and a notice says so", async () => {
    const refuse = () => {
      throw new DOMException("no", "SecurityError");
    };
    const manager = bareModelManager({ storage: { getItem: refuse, setItem: refuse, removeItem: refuse } });
    const { id } = await manager.saveEndpoint(OPENROUTER);
    expect(manager.getSnapshot().problem).toMatch(/until you close the tab/);
    await manager.choose(`endpoint:${id}`);
    expect(manager.getSnapshot()).toMatchObject({ current: { host: "openrouter.ai" } });
  });

  it("are none if the stored value cannot be read", () => {
    const storage = memoryStorage();
    storage.setItem("throughline.models.endpoints", '[{"id":"x"},{"broken');
    expect(bareModelManager({ storage }).endpoints()).toEqual([]);
    storage.setItem(
      "throughline.models.endpoints",
      JSON.stringify([{ id: "x" }, { ...OPENROUTER, id: "y", baseUrl: "no" }, { ...OPENROUTER, id: "z" }]),
    );
    expect(
      bareModelManager({ storage })
        .endpoints()
        .map(({ id }) => id),
    ).toEqual(["z"]);
  });
});
