import { describe, expect, it } from "vitest";
import type { Model } from "../../ports/model.ts";
import { createThroughline } from "../../throughline.ts";
import type { IngestMessage } from "../memory-api.ts";
import { openMemory } from "../open-memory.fixture.ts";

const user = (text: string): IngestMessage => ({ role: "user", text });

describe("facts of a session in a project", () => {
  it("belong to the project, and facts about the person to that person in every project", async () => {
    const shop = await openMemory({ projectId: "shop" });
    const text =
      "I prefer tabs over spaces. Never touch src/legacy in this repository. My name is Ada. Always run make check.";
    await shop.memory.ingest({ sessionId: "s", messages: [{ role: "user", text }] });
    const projects = (await shop.memory.list()).map(({ levels, projectId }) => [levels.full, projectId]);
    expect(projects).toEqual([
      ["I prefer tabs over spaces", undefined],
      ["Never touch src/legacy in this repository", "shop"],
      ["My name is Ada", undefined],
      ["Always run make check", "shop"],
    ]);
    const blog = await openMemory({ store: shop.store, clock: shop.clock, projectId: "blog" });
    await blog.memory.ingest({ sessionId: "t", messages: [{ role: "user", text: "My name is Eva." }] });
    expect((await shop.memory.list()).map(({ levels }) => levels.full)).not.toContain("My name is Ada");
  });

  it.each([
    "Always ask me before you touch the production database of the Acme billing service.",
    "Never send me drafts of the Acme contract without a summary.",
    "I prefer it when you ask before you deploy the billing service.",
    "Niemals ohne mich den Rechnungsdienst ausliefern.",
    "Nunca toques mi base de datos de facturas sin preguntarme.",
    "Toujours me demander avant de toucher mon serveur de production.",
  ])("belong to the project if they are requests: %s", async (text) => {
    const { memory } = await openMemory({ projectId: "shop" });
    await memory.ingest({ sessionId: "s", messages: [user(text)] });
    expect((await memory.list()).map(({ projectId }) => projectId)).toEqual(["shop"]);
  });

  it.each([
    "I really prefer short answers.",
    "I'm a vegetarian.",
    "Ich bevorzuge kurze Antworten.",
    "Ich wohne in Graz.",
    "Prefiero respuestas cortas.",
    "Me llamo Inés.",
    "Je préfère les réponses courtes.",
    "Prefiro respostas curtas.",
    "我喜欢简短的回答。",
  ])("belong to the person if they are about their speaker: %s", async (text) => {
    const { memory } = await openMemory({ projectId: "shop" });
    await memory.ingest({ sessionId: "s", messages: [user(text)] });
    expect((await memory.list()).map(({ projectId }) => projectId)).toEqual([undefined]);
  });

  it("belong to the project if they refer to a reply, whatever words it has", async () => {
    const { memory } = await openMemory({ projectId: "shop" });
    const reply = { role: "assistant", text: "Should I always deploy my changes to staging first?" };
    await memory.ingest({ sessionId: "s", messages: [reply, user("yes, always")] });
    const found = (await memory.list()).map(({ levels, projectId }) => [levels.full, projectId]);
    expect(found).toEqual([["yes, always [re: Should I always deploy my changes to staging first?]", "shop"]]);
  });

  it("belong to the project if a model calls a request a fact about the person", async () => {
    const text = "Always ask me before you touch the billing database.";
    const facts = [{ fact: text, category: "identity", confidence: "high", quote: text }];
    const model: Model = { modelId: "m", generate: async () => ({ text: JSON.stringify(facts) }) };
    const tl = await createThroughline({ model, projectId: "shop" });
    await tl.memory.ingest({ sessionId: "s", messages: [user(text)] });
    expect((await tl.memory.list()).map(({ projectId }) => projectId)).toEqual(["shop"]);
    await tl.close();
  });

  it("about one person are not visible to another in the same project", async () => {
    const ada = await openMemory({ userId: "ada", projectId: "shop" });
    await ada.memory.ingest({ sessionId: "s", messages: [{ role: "user", text: "My name is Ada." }] });
    const bob = await openMemory({ store: ada.store, userId: "bob", projectId: "shop" });
    expect(await bob.memory.list()).toEqual([]);
  });
});
