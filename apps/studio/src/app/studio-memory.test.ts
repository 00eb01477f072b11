// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { ScriptedModel } from "../test/scripted-model.fixture.ts";
import { openStudioTab } from "./studio-tab.fixture.ts";

const tab = openStudioTab();
const { chat, messages, facts, openId } = tab;

describe("memory", () => {
  it("is updated with a notice at the message, and can be undone", async () => {
    await chat().send("I live in Lisbon.");
    await tab.studio.learn(openId(), messages());
    await chat().send("I live in Porto now.");
    await tab.studio.learn(openId(), messages());
    const last = messages().at(-1);
    const learned = tab.studio.book.getSnapshot().facts.filter((fact) => fact.lastSeenMessageId === last?.id);
    expect(learned).toHaveLength(1);
    await tab.studio.book.revert(learned.map(({ id }) => id));
    expect(facts().join()).toContain("Lisbon");
  });

  it("is neither used nor learned where it is off, for a chat or everywhere", async () => {
    const model = new ScriptedModel();
    model.reply = () => "Fine.";
    tab.device.models.use(model.chatModel);
    await tab.studio.book.add({ text: "Building a planner for roof gardens" });
    await chat().send("Hello, what is next?");
    expect(model.system).toContain("roof gardens");
    await chat().switchMemory(false);
    await chat().send("I live in Lisbon.");
    await tab.studio.learn(openId(), messages());
    expect(model.system).not.toContain("roof gardens");
    await tab.studio.newChat();
    await tab.studio.switchMemory(false);
    await chat().send("I prefer short answers.");
    await tab.studio.learn(openId(), messages());
    expect(model.system).not.toContain("roof gardens");
    expect(facts()).toEqual(["Building a planner for roof gardens"]);
    await tab.reopen();
    expect(tab.studio.getSnapshot().isMemoryOn).toBe(false);
    await tab.studio.switchMemory(true);
    await chat().send("What is next?");
    expect(model.system).toContain("roof gardens");
  });

  it("is forgotten when a message asks for it, and not learned again from that", async () => {
    await chat().send("I live in Lisbon.");
    await chat().send("Please forget that I live in Lisbon.");
    await tab.studio.learn(openId(), messages());
    expect(facts()).toEqual([]);
    const { forgot } = messages().at(-1) ?? {};
    expect(forgot?.map(({ fact }) => fact).join()).toContain("Lisbon");
    await tab.studio.book.bringBack(forgot?.[0]?.id ?? "");
    expect(facts()).toHaveLength(1);
  });

  it("is listed on request, with and without a model", async () => {
    await tab.studio.book.add({ text: "I live in Lisbon" });
    await chat().send("What do you know about me?");
    expect(messages().at(-1)).toMatchObject({ role: "assistant", text: expect.stringContaining("Lives in Lisbon") });
    const model = new ScriptedModel();
    model.reply = () => "You live in Lisbon.";
    tab.device.models.use(model.chatModel);
    await chat().send("What do you know about me?");
    expect(model.system).toContain("Lives in Lisbon");
  });

  it("is not in an export once it is deleted", async () => {
    const { fact } = await tab.studio.book.add({ text: "I live in Lisbon" });
    await tab.studio.book.add({ text: "I prefer tea" });
    await tab.studio.book.remove([fact.id]);
    for (const format of ["json", "markdown"] as const) {
      const exported = await tab.studio.exportMemories(format);
      expect(exported).toContain("tea");
      expect(exported).not.toContain("Lisbon");
    }
  });

  it("counts the memories that an import adds, and those over the limit", async () => {
    const list = Array.from({ length: 160 }, (_, n) => `- Working on part number ${n} of plan ${n * 7}`).join("\n");
    expect(await tab.studio.importMemories(list, { dryRun: true })).toMatchObject({ added: 160, overLimit: 10 });
    const { added, overLimit } = await tab.studio.importMemories(list);
    expect(added).toBe(tab.studio.book.getSnapshot().facts.length);
    expect(added + overLimit).toBe(160);
  });

  it("is not imported in part: a cancelled import adds nothing", async () => {
    const list = ["- Plays the cello", "- Lives in Rome", "- Owns a red kite"].join("\n");
    const cancel = new AbortController();
    const onProgress = () => cancel.abort();
    const cancelled = tab.studio.importMemories(list, { signal: cancel.signal, onProgress });
    await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
    expect(facts()).toEqual([]);
  });
});
