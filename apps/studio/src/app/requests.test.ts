// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lastQuestion, ScriptedModel } from "../test/scripted-model.fixture.ts";
import { openStudioTab } from "./studio-tab.fixture.ts";

const tab = openStudioTab();
const { chat, messages, facts, openId } = tab;

describe("a request", () => {
  let model: ScriptedModel;
  beforeEach(() => {
    model = new ScriptedModel();
    model.reply = () => "All right.";
    tab.device.models.use(model.chatModel);
  });

  it("marks parts of a message that were not sent", async () => {
    for (let n = 0; n < 10; n += 1) await chat().send(`Note ${n}: ${"garden beds ".repeat(30)}`);
    await chat().send(`Read this. ${"A long letter about gardens. ".repeat(750)}`);
    const asked = messages().findLast(({ role }) => role === "user");
    expect(asked?.unsent?.kind).toBe("cut");
    const share = asked?.unsent?.kind === "cut" ? asked.unsent.percentSent : 0;
    const sent = lastQuestion(model.prompts.at(-1) ?? []).length;
    expect(Math.abs(share - (sent / (asked?.text.length ?? 1)) * 100)).toBeLessThan(10);
    // Messages that are neither sent nor summarized are marked.
    const prompt = JSON.stringify(model.prompts.at(-1));
    const { notes } = chat().getSnapshot();
    const summarized = notes.filter(({ isUndone }) => !isUndone).reduce((sum, one) => sum + one.condensedMessages, 0);
    const missing = messages().filter(({ text, role }) => role === "user" && !prompt.includes(text.slice(0, 8)));
    expect(missing.filter(({ unsent }) => unsent === undefined).length).toBeLessThanOrEqual(summarized);
    const before = messages();
    await tab.reopen();
    await vi.waitFor(() => expect(messages()).toHaveLength(before.length));
    expect(messages().map(({ unsent }) => unsent)).toEqual(before.map(({ unsent }) => unsent));
  });

  it("has texts only as strings, also after a failed answer, and attached files in them", async () => {
    await chat().send("One");
    tab.device.models.use(undefined);
    await chat().send("Two");
    tab.device.models.use(model.chatModel);
    await chat().send("Three", { attachments: [{ kind: "text", name: "a.txt", text: "I live in Rome." }] });
    const users = (model.prompts.at(-1) ?? []).filter(({ role }) => role === "user");
    expect(users.every(({ content }) => content.length === 1)).toBe(true);
    expect(lastQuestion(users)).toContain("I live in Rome.");
    expect(messages().findLast(({ role }) => role === "user")).toMatchObject({
      text: "Three",
      attachments: [{ name: "a.txt" }],
    });
    await tab.studio.learn(openId(), messages());
    expect(facts()).toEqual([]);
  });

  it("keeps the files of a message that is edited, or taken back from the queue", async () => {
    const file = { kind: "text", name: "beds.csv", text: "thyme,15" } as const;
    await chat().send("Which fit?", { attachments: [file] });
    await chat().editAndResend(messages()[0]?.id ?? "", "Which of these fit?");
    expect(lastQuestion(model.prompts.at(-1) ?? [])).toBe(
      'Which of these fit?\n\n[Attached file "beds.csv"]\nthyme,15',
    );
    expect(messages()[0]).toMatchObject({ text: "Which of these fit?", attachments: [{ name: "beds.csv" }] });
    model.reply = undefined;
    const first = chat().send("Go on.");
    const queued = chat().send("And these?", { attachments: [file] });
    const [waiting] = chat().getSnapshot().queued;
    expect(chat().unqueue(waiting?.id ?? "")).toMatchObject({ text: "And these?", attachments: [file] });
    (await model.asked()).finish();
    await Promise.all([first, queued]);
  });

  it("has no image if the model takes none, and a note at the answer", async () => {
    const seeing = new ScriptedModel({ choiceId: "llava", modelId: "llava", place: "remote", contextLimit: 8_192 });
    seeing.reply = () => "Three beds.";
    tab.device.models.use(seeing.chatModel);
    const roof = { kind: "image", name: "roof.png", mediaType: "image/png", data: "AQID" } as const;
    await chat().send("What grows here?", { attachments: [roof] });
    expect(JSON.stringify(seeing.prompts.at(-1))).toContain("AQID");
    expect(messages().at(-1)?.imagesLeftOut).toBeUndefined();
    tab.device.models.use({ ...model.chatModel, contextLimit: 8_192 });
    await chat().send("And what else?");
    expect(JSON.stringify(model.prompts.at(-1))).not.toContain("AQID");
    expect(JSON.stringify(model.prompts.at(-1))).toContain("roof.png");
    expect(messages().at(-1)?.imagesLeftOut).toBe(1);
    await tab.reopen();
    await vi.waitFor(() => expect(messages().at(-1)?.imagesLeftOut).toBe(1));
  });

  it("shows at the message that its image did not fit", async () => {
    const seeing = new ScriptedModel({ choiceId: "llava", modelId: "llava", place: "remote", contextLimit: 2_048 });
    seeing.reply = () => "Three beds.";
    tab.device.models.use(seeing.chatModel);
    const roof = { kind: "image", name: "roof.png", mediaType: "image/png", data: "AQID" } as const;
    await chat().send("What grows here?", { attachments: [roof] });
    expect(JSON.stringify(seeing.prompts.at(-1))).not.toContain("AQID");
    expect(messages()[0]?.unsent).toEqual({ kind: "images" });
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
    await tab.studio.book.add({ text: "Building a planner for roof gardens" });
    await vi.waitFor(() => expect(used()).toBeGreaterThan(full));
    await chat().switchMemory(false);
    expect(used()).toBe(full);
    tab.device.models.use({ ...model.chatModel, choiceId: "other", contextLimit: 8_192 });
    await vi.waitFor(() => expect(chat().getSnapshot().use.limit).toBe(8_192));
    await chat().editAndResend(messages()[2]?.id ?? "", "Shorter");
    expect(used()).toBeLessThan(full);
  });

  it("is not summarized again right after an undo", async () => {
    for (let n = 0; chat().getSnapshot().notes.length === 0; n += 1) {
      await chat().send(`Note ${n}: ${"garden beds ".repeat(30)}`);
    }
    // The console warns developers.
    expect(tab.logged.mock.calls.join()).toMatch(/The window is 7\d% full[\s\S]*Compaction \(stage1\)/);
    await chat().undoCondensing(chat().getSnapshot().notes[0]?.eventId ?? "");
    await chat().send("Go on.");
    expect(
      chat()
        .getSnapshot()
        .notes.map(({ isUndone }) => isUndone),
    ).toEqual([true]);
  });
});
