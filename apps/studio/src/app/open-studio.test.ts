// @vitest-environment happy-dom
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ShownMessage } from "../chat/chat.ts";
import { type PartialAnswers, storedPartials } from "../chat/partial-answers.ts";
import { tabDrafts } from "../chat/view/composer/drafts.ts";
import { memoryStorage } from "../models/test/memory-storage.ts";
import { lastQuestion, managerWith, ScriptedModel } from "../test/scripted-model.fixture.ts";
import { MemoryChoice } from "./memory-choice.ts";
import { type Persistence, tabPersistence } from "./open-persistence.ts";
import { createStudio } from "./open-studio.ts";
import type { Studio } from "./studio.ts";

/** Moves on with each look, so that nothing happens at the same time. */
class TickingClock {
  time = 1_700_000_000_000;
  now(): number {
    this.time += 1;
    return this.time;
  }
}

/** One device: what is kept on it outlives a tab. */
class Device {
  readonly clock = new TickingClock();
  readonly persistence: Persistence = tabPersistence(this.clock, "");
  readonly storage = memoryStorage();
  readonly locks = new Set<string>();
  readonly models = managerWith();

  /** Locks are let go when a tab is closed; `Tab` tells whose they are. */
  partials(): PartialAnswers {
    const request = async (name: string, options: unknown, work?: (lock: unknown) => unknown) => {
      const run = (work ?? options) as (lock: unknown) => unknown;
      if (this.locks.has(name)) return run(null);
      this.locks.add(name);
      try {
        return await run({ name });
      } finally {
        this.locks.delete(name);
      }
    };
    return storedPartials({ storage: this.storage, locks: { request } as unknown as LockManager });
  }

  async open(): Promise<Studio> {
    const { persistence, models, clock } = this;
    return createStudio({
      persistence,
      models,
      clock,
      partials: this.partials(),
      memoryChoice: new MemoryChoice(this.storage),
    });
  }
}

let device: Device;
let studio: Studio;

const logged = vi.spyOn(console, "debug").mockImplementation(() => undefined);

beforeEach(async () => {
  logged.mockClear();
  // A page has no files: the word vectors are absent, and no call waits for them.
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  sessionStorage.clear();
  window.matchMedia = () => ({ matches: true }) as MediaQueryList;
  device = new Device();
  studio = await device.open();
});

afterAll(() => {
  vi.unstubAllGlobals();
  logged.mockRestore();
});

const chat = () => studio.getSnapshot().chat;
const messages = (): readonly ShownMessage[] => chat().getSnapshot().messages;
const facts = () => studio.book.getSnapshot().facts.map(({ fact }) => fact);
const titles = () => studio.getSnapshot().conversations.map(({ title }) => title);
const openId = () => chat().getSnapshot().conversationId;

describe("the demo", () => {
  it("has memories of its own, and leaves those of the person alone", async () => {
    await studio.book.add({ text: "I live in Oslo" });
    await studio.startDemo();
    expect(chat().getSnapshot().isDemo).toBe(true);
    expect(facts()).not.toContain("I live in Oslo");
    expect(facts().join()).toContain("Porto");
    const model = new ScriptedModel();
    model.reply = () => "Fine.";
    device.models.use(model.chatModel);
    await studio.newChat();
    expect(facts()).toEqual(["I live in Oslo"]);
    await chat().send("What is my name and where do I live?");
    expect(model.system).toContain("Lives in Oslo");
    expect(model.system).not.toMatch(/Mara|Porto/);
  });

  it("is there once, however often it is asked for", async () => {
    await studio.startDemo();
    const confidences = studio.book.getSnapshot().facts.map(({ confidence }) => confidence);
    await studio.newChat();
    await studio.startDemo();
    expect(titles()).toEqual(["Demo: a planner for roof gardens"]);
    expect(studio.book.getSnapshot().facts.map(({ confidence }) => confidence)).toEqual(confidences);
  });

  it("is gone with its memories when it is removed", async () => {
    await studio.startDemo();
    await studio.removeDemo();
    expect(titles()).toEqual([]);
    expect(chat().getSnapshot().isDemo).toBe(false);
    studio = await device.open();
    await studio.startDemo();
    expect(studio.book.getSnapshot().facts.every(({ mentionCount }) => mentionCount === 1)).toBe(true);
  });
});

describe("an answer", () => {
  let model: ScriptedModel;
  beforeEach(() => {
    model = new ScriptedModel();
    device.models.use(model.chatModel);
  });

  it("goes on while another conversation is open", async () => {
    const sending = chat().send("Tell me a story");
    const answer = await model.asked();
    answer.say("Once upon");
    const id = openId();
    await studio.newChat();
    answer.say(" a time.");
    answer.finish();
    await sending;
    await studio.open(id);
    await vi.waitFor(() => expect(messages()).toHaveLength(2));
    expect(messages()[1]).toMatchObject({ text: "Once upon a time.", state: "done" });
  });

  it("is still being written when one comes back to it", async () => {
    const sending = chat().send("Tell me a story");
    await model.asked();
    const id = openId();
    await studio.newChat();
    await studio.open(id);
    expect(chat().getSnapshot().isAnswering).toBe(true);
    chat().stop();
    await sending;
    expect(messages().at(-1)?.state).toBe("stopped");
  });

  it("ends with its conversation, and with a temporary chat", async () => {
    const first = chat().send("Tell me a story");
    await model.asked();
    await studio.remove(openId());
    await first;
    await studio.newChat({ isTemporary: true });
    const second = chat().send("Tell me a secret");
    await model.asked();
    const leaving = studio.newChat();
    await vi.waitFor(() => expect(studio.getSnapshot().leaving).toBeDefined());
    studio.getSnapshot().leaving?.(true);
    await leaving;
    await second;
  });

  it("is kept as far as it came when the tab is closed, and can be continued", async () => {
    void chat().send("Tell me a story");
    const answer = await model.asked();
    answer.say("Once upon");
    await vi.waitFor(() => expect(device.storage.getItem(`throughline.partial.${openId()}`)).toContain("Once upon"));
    // The tab is gone, and with it its lock.
    device.locks.clear();
    studio = await device.open();
    await vi.waitFor(() => expect(messages()).toHaveLength(2));
    expect(messages()[1]).toMatchObject({ text: "Once upon", state: "interrupted" });
    const going = chat().continueAnswer();
    const rest = await model.asked();
    expect(lastQuestion(model.prompts.at(-1) ?? [])).toMatch(/Continue it from exactly where it stops/);
    rest.say("upon a time.");
    rest.finish();
    await going;
    const whole = { text: "Once upon a time.", state: "done" };
    expect(messages()[1]).toMatchObject(whole);
    studio = await device.open();
    await vi.waitFor(() => expect(messages()).toHaveLength(2));
    expect(messages()[1]).toMatchObject(whole);
  });

  it("is not taken by another tab while it is written", async () => {
    const sending = chat().send("Tell me a story");
    const answer = await model.asked();
    answer.say("Once upon");
    await vi.waitFor(() => expect(device.storage.getItem(`throughline.partial.${openId()}`)).toContain("Once upon"));
    const other = await device.open();
    await vi.waitFor(() => expect(other.getSnapshot().chat.getSnapshot().messages).toHaveLength(1));
    answer.finish();
    await sending;
    expect(messages()).toHaveLength(2);
    expect(device.storage.getItem(`throughline.partial.${openId()}`)).toBeNull();
  });

  it("is followed by what was sent meanwhile, in order; a queued message can be taken back", async () => {
    const sending = [chat().send("One"), chat().send("Two"), chat().send("Three")];
    const first = await model.asked();
    const [, third] = chat().getSnapshot().queued;
    expect(
      chat()
        .getSnapshot()
        .queued.map(({ text }) => text),
    ).toEqual(["Two", "Three"]);
    expect(chat().unqueue(third?.id ?? "")).toBe("Three");
    first.say("1");
    first.finish();
    const second = await model.asked();
    second.say("2");
    second.finish();
    await Promise.all(sending);
    expect(messages().map(({ text }) => text)).toEqual(["One", "1", "Two", "2"]);
  });

  it("leaves what is queued to the field, where the tab is closed", async () => {
    void chat().send("One");
    await model.asked();
    void chat().send("Two");
    const id = openId();
    await studio.newChat();
    window.dispatchEvent(new Event("pagehide"));
    expect(tabDrafts.read(id)).toBe("Two");
  });

  it("shows what the model thought, and says that a tool was asked for in vain", async () => {
    const thinking = chat().send("Is 7 prime?");
    const first = await model.asked();
    first.think("Only 1 and 7 divide it.");
    first.say("Yes.");
    first.finish();
    await thinking;
    expect(messages().at(-1)).toMatchObject({ text: "Yes.", reasoning: "Only 1 and 7 divide it.", state: "done" });
    const asking = chat().send("What's the weather?");
    const second = await model.asked();
    second.callTool("get_weather");
    second.finish();
    await asking;
    expect(messages().at(-1)).toMatchObject({ state: "failed" });
    expect(messages().at(-1)?.problem).toContain("“get_weather”");
  });
});

describe("a request", () => {
  let model: ScriptedModel;
  beforeEach(() => {
    model = new ScriptedModel();
    model.reply = () => "All right.";
    device.models.use(model.chatModel);
  });

  it("says at the message what of it was not sent", async () => {
    for (let n = 0; n < 10; n += 1) await chat().send(`Note ${n}: ${"garden beds ".repeat(30)}`);
    await chat().send(`Read this. ${"A long letter about gardens. ".repeat(750)}`);
    const asked = messages().findLast(({ role }) => role === "user");
    expect(asked?.unsent?.kind).toBe("cut");
    const share = asked?.unsent?.kind === "cut" ? asked.unsent.percentSent : 0;
    const sent = lastQuestion(model.prompts.at(-1) ?? []).length;
    expect(Math.abs(share - (sent / (asked?.text.length ?? 1)) * 100)).toBeLessThan(10);
    // Nothing hides: what is neither sent nor summarized is marked.
    const prompt = JSON.stringify(model.prompts.at(-1));
    const { notes } = chat().getSnapshot();
    const summarized = notes.filter(({ isUndone }) => !isUndone).reduce((sum, one) => sum + one.condensedMessages, 0);
    const missing = messages().filter(({ text, role }) => role === "user" && !prompt.includes(text.slice(0, 8)));
    expect(missing.filter(({ unsent }) => unsent === undefined).length).toBeLessThanOrEqual(summarized);
    const before = messages();
    studio = await device.open();
    await vi.waitFor(() => expect(messages()).toHaveLength(before.length));
    expect(messages().map(({ unsent }) => unsent)).toEqual(before.map(({ unsent }) => unsent));
  });

  it("has texts only as strings, also after a failed answer, and attached files in them", async () => {
    await chat().send("One");
    device.models.use(undefined);
    await chat().send("Two");
    device.models.use(model.chatModel);
    await chat().send("Three", { attachments: [{ kind: "text", name: "a.txt", text: "I live in Rome." }] });
    const users = (model.prompts.at(-1) ?? []).filter(({ role }) => role === "user");
    expect(users.every(({ content }) => content.length === 1)).toBe(true);
    expect(lastQuestion(users)).toContain("I live in Rome.");
    expect(messages().findLast(({ role }) => role === "user")).toMatchObject({
      text: "Three",
      attachments: [{ name: "a.txt" }],
    });
    await studio.learn(openId(), messages());
    expect(facts()).toEqual([]);
  });

  it("is measured by the ring at every moment", async () => {
    const used = () => chat().getSnapshot().use.used;
    for (let n = 0; n < 6; n += 1) await chat().send(`Note ${n}: ${"garden beds ".repeat(30)}`);
    const full = used();
    await chat().condense();
    const condensed = used();
    expect(condensed).toBeLessThan(full);
    await chat().undoCondensing(chat().getSnapshot().notes[0]?.eventId ?? "");
    expect(used()).toBe(full);
    await studio.book.add({ text: "Building a planner for roof gardens" });
    await vi.waitFor(() => expect(used()).toBeGreaterThan(full));
    await chat().switchMemory(false);
    expect(used()).toBe(full);
    device.models.use({ ...model.chatModel, choiceId: "other", contextLimit: 8_192 });
    await vi.waitFor(() => expect(chat().getSnapshot().use.limit).toBe(8_192));
    await chat().editAndResend(messages()[2]?.id ?? "", "Shorter");
    expect(used()).toBeLessThan(full);
  });

  it("is not summarized again right after an undo", async () => {
    for (let n = 0; chat().getSnapshot().notes.length === 0; n += 1) {
      await chat().send(`Note ${n}: ${"garden beds ".repeat(30)}`);
    }
    // Developers read of it in the console.
    expect(logged.mock.calls.join()).toMatch(/The window is 7\d% full[\s\S]*Compaction \(stage1\)/);
    await chat().undoCondensing(chat().getSnapshot().notes[0]?.eventId ?? "");
    await chat().send("Go on.");
    expect(
      chat()
        .getSnapshot()
        .notes.map(({ isUndone }) => isUndone),
    ).toEqual([true]);
  });
});

describe("memory", () => {
  it("is updated at the message that caused it, and can go back", async () => {
    await chat().send("I live in Lisbon.");
    await studio.learn(openId(), messages());
    await chat().send("I live in Porto now.");
    await studio.learn(openId(), messages());
    const last = messages().at(-1);
    const learned = studio.book.getSnapshot().facts.filter((fact) => fact.lastSeenMessageId === last?.id);
    expect(learned).toHaveLength(1);
    await studio.book.revert(learned.map(({ id }) => id));
    expect(facts().join()).toContain("Lisbon");
  });

  it("is neither used nor learned where it is off, for a chat or everywhere", async () => {
    const model = new ScriptedModel();
    model.reply = () => "Fine.";
    device.models.use(model.chatModel);
    await studio.book.add({ text: "Building a planner for roof gardens" });
    await chat().send("Hello, what is next?");
    expect(model.system).toContain("roof gardens");
    await chat().switchMemory(false);
    await chat().send("I live in Lisbon.");
    await studio.learn(openId(), messages());
    expect(model.system).not.toContain("roof gardens");
    await studio.newChat();
    await studio.switchMemory(false);
    await chat().send("I prefer short answers.");
    await studio.learn(openId(), messages());
    expect(model.system).not.toContain("roof gardens");
    expect(facts()).toEqual(["Building a planner for roof gardens"]);
    studio = await device.open();
    expect(studio.getSnapshot().isMemoryOn).toBe(false);
    await studio.switchMemory(true);
    await chat().send("What is next?");
    expect(model.system).toContain("roof gardens");
  });

  it("is forgotten when a message asks for it, and not learned again from that", async () => {
    await chat().send("I live in Lisbon.");
    await chat().send("Please forget that I live in Lisbon.");
    await studio.learn(openId(), messages());
    expect(facts()).toEqual([]);
    const { forgot } = messages().at(-1) ?? {};
    expect(forgot?.map(({ fact }) => fact).join()).toContain("Lisbon");
    await studio.book.bringBack(forgot?.[0]?.id ?? "");
    expect(facts()).toHaveLength(1);
  });

  it("is told to who asks for it, with and without a model", async () => {
    await studio.book.add({ text: "I live in Lisbon" });
    await chat().send("What do you know about me?");
    expect(messages().at(-1)).toMatchObject({ role: "assistant", text: expect.stringContaining("I live in Lisbon") });
    const model = new ScriptedModel();
    model.reply = () => "You live in Lisbon.";
    device.models.use(model.chatModel);
    await chat().send("What do you know about me?");
    expect(model.system).toContain("Lives in Lisbon");
  });

  it("is not in an export once it is deleted", async () => {
    const { fact } = await studio.book.add({ text: "I live in Lisbon" });
    await studio.book.add({ text: "I prefer tea" });
    await studio.book.remove([fact.id]);
    for (const format of ["json", "markdown"] as const) {
      const exported = await studio.exportMemories(format);
      expect(exported).toContain("tea");
      expect(exported).not.toContain("Lisbon");
    }
  });

  it("counts what an import adds, and what there is no room for", async () => {
    const list = Array.from({ length: 160 }, (_, n) => `- Working on part number ${n} of plan ${n * 7}`).join("\n");
    expect(await studio.importMemories(list, { dryRun: true })).toMatchObject({ added: 160, overLimit: 10 });
    const { added, overLimit } = await studio.importMemories(list);
    expect(added).toBe(studio.book.getSnapshot().facts.length);
    expect(added + overLimit).toBe(160);
  });
});

describe("a conversation", () => {
  it("can be brought back after it was deleted, also by the next tab", async () => {
    await chat().send("Plan the trip");
    const id = openId();
    await studio.remove(id);
    expect(titles()).toEqual([]);
    expect(studio.getSnapshot().removed.map(({ title }) => title)).toEqual(["Plan the trip"]);
    await studio.undoRemove(id);
    expect(titles()).toEqual(["Plan the trip"]);
    expect(openId()).toBe(id);
  });

  it("is erased when the time to undo is over", async () => {
    await chat().send("Plan the trip");
    const id = openId();
    await studio.remove(id);
    device.clock.time += 10_000;
    await studio.refresh();
    await studio.undoRemove(id);
    expect(titles()).toEqual([]);
    expect(studio.getSnapshot().removed).toEqual([]);
    expect(await studio.search("trip")).toEqual([]);
  });

  it("is found by words of its title and of its messages", async () => {
    await chat().send("Plan the trip");
    const id = openId();
    await chat().send("We start in São Paulo");
    await studio.newChat();
    await chat().send("Something else");
    expect(await studio.search("SAO paulo")).toMatchObject([{ conversationId: id, snippet: "We start in São Paulo" }]);
    expect(await studio.search("trip")).toEqual([{ conversationId: id, title: "Plan the trip" }]);
    expect(await studio.search("nothing of the kind")).toEqual([]);
  });

  it("can be exported for people and for programs", async () => {
    await chat().send("Plan the trip");
    expect(await studio.exportConversation(openId(), "markdown")).toMatch(
      /^# Plan the trip\n[\s\S]*## You · .*\n\nPlan/,
    );
    const json: unknown = JSON.parse(await studio.exportConversation(openId(), "json"));
    expect(json).toMatchObject({
      title: "Plan the trip",
      messages: [{ role: "user", parts: [{ text: "Plan the trip" }] }],
    });
  });
});
