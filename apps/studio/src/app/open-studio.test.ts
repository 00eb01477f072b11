// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { ScriptedModel } from "../test/scripted-model.fixture.ts";
import { openStudioTab } from "./studio-tab.fixture.ts";

const tab = openStudioTab();
const { chat, facts, messages, titles, openId } = tab;

describe("the demo", () => {
  it("has its own memories, and does not change the user's", async () => {
    await tab.studio.book.add({ text: "I live in Oslo" });
    await tab.studio.startDemo();
    expect(chat().getSnapshot().isDemo).toBe(true);
    const reply = messages().find(({ text }) => text.startsWith("Then Ines gets"));
    expect(reply?.used?.map(({ fact }) => fact?.fact).join()).toContain("Terrace");
    expect(facts()).not.toContain("I live in Oslo");
    expect(facts().join()).toContain("Porto");
    const model = new ScriptedModel();
    model.reply = () => "Fine.";
    tab.device.models.use(model.chatModel);
    await tab.studio.newChat();
    expect(facts()).toEqual(["I live in Oslo"]);
    await chat().send("What is my name and where do I live?");
    expect(model.system).toContain("Lives in Oslo");
    expect(model.system).not.toMatch(/Mara|Porto/);
  });

  it("is created once for repeated requests", async () => {
    await tab.studio.startDemo();
    const confidences = tab.studio.book.getSnapshot().facts.map(({ confidence }) => confidence);
    await tab.studio.newChat();
    await tab.studio.startDemo();
    expect(titles()).toEqual(["Demo: a planner for roof gardens"]);
    expect(tab.studio.book.getSnapshot().facts.map(({ confidence }) => confidence)).toEqual(confidences);
  });

  it("is removed with its memories", async () => {
    await tab.studio.startDemo();
    await tab.studio.removeDemo();
    expect(titles()).toEqual([]);
    expect(chat().getSnapshot().isDemo).toBe(false);
    await tab.reopen();
    await tab.studio.startDemo();
    expect(tab.studio.book.getSnapshot().facts.every(({ mentionCount }) => mentionCount === 1)).toBe(true);
  });
});

describe("a conversation", () => {
  it("can be brought back after it was deleted, also by the next tab", async () => {
    await chat().send("Plan the trip");
    const id = openId();
    await tab.studio.remove(id);
    expect(titles()).toEqual([]);
    expect(tab.studio.getSnapshot().removed.map(({ title }) => title)).toEqual(["Plan the trip"]);
    await tab.studio.undoRemove(id);
    expect(titles()).toEqual(["Plan the trip"]);
    expect(openId()).toBe(id);
  });

  it("is erased when the time to undo is over", async () => {
    await chat().send("Plan the trip");
    const id = openId();
    await tab.studio.remove(id);
    tab.device.clock.time += 10_000;
    await tab.studio.refresh();
    await tab.studio.undoRemove(id);
    expect(titles()).toEqual([]);
    expect(tab.studio.getSnapshot().removed).toEqual([]);
    expect(await tab.studio.search("trip")).toEqual([]);
  });

  it("is found by words of its title and of its messages", async () => {
    await chat().send("Plan the trip");
    const id = openId();
    await chat().send("We start in São Paulo");
    await tab.studio.newChat();
    await chat().send("Something else");
    expect(await tab.studio.search("SAO paulo")).toMatchObject([
      { conversationId: id, snippet: "We start in São Paulo" },
    ]);
    expect(await tab.studio.search("trip")).toEqual([{ conversationId: id, title: "Plan the trip" }]);
    expect(await tab.studio.search("nothing of the kind")).toEqual([]);
  });

  it("can be exported as Markdown and JSON", async () => {
    await chat().send("Plan the trip");
    expect(await tab.studio.exportConversation(openId(), "markdown")).toMatch(
      /^# Plan the trip\n[\s\S]*## You · .*\n\nPlan/,
    );
    const json: unknown = JSON.parse(await tab.studio.exportConversation(openId(), "json"));
    expect(json).toMatchObject({
      title: "Plan the trip",
      messages: [{ role: "user", parts: [{ text: "Plan the trip" }] }],
    });
  });
});
