// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { tabDrafts } from "../chat/view/composer/drafts.ts";
import { lastQuestion, ScriptedModel } from "../test/scripted-model.fixture.ts";
import { openStudioTab } from "./studio-tab.fixture.ts";

const tab = openStudioTab();
const { chat, messages, openId } = tab;

describe("an answer", () => {
  let model: ScriptedModel;
  beforeEach(() => {
    model = new ScriptedModel();
    tab.device.models.use(model.chatModel);
  });

  it("continues while another conversation is open", async () => {
    const sending = chat().send("Tell me a story");
    const answer = await model.asked();
    answer.say("Once upon");
    const id = openId();
    await tab.studio.newChat();
    answer.say(" a time.");
    answer.finish();
    await sending;
    await tab.studio.open(id);
    await vi.waitFor(() => expect(messages()).toHaveLength(2));
    expect(messages()[1]).toMatchObject({ text: "Once upon a time.", state: "done" });
  });

  it("is still streaming when the user returns", async () => {
    const sending = chat().send("Tell me a story");
    await model.asked();
    const id = openId();
    await tab.studio.newChat();
    await tab.studio.open(id);
    expect(chat().getSnapshot().isAnswering).toBe(true);
    chat().stop();
    await sending;
    expect(messages().at(-1)?.state).toBe("stopped");
  });

  it("ends with its conversation, and with a temporary chat", async () => {
    const first = chat().send("Tell me a story");
    await model.asked();
    await tab.studio.remove(openId());
    await first;
    await tab.studio.newChat({ isTemporary: true });
    const second = chat().send("Tell me a secret");
    await model.asked();
    const leaving = tab.studio.newChat();
    await vi.waitFor(() => expect(tab.studio.getSnapshot().leaving).toBeDefined());
    tab.studio.getSnapshot().leaving?.(true);
    await leaving;
    await second;
  });

  it("is saved up to its last words when the tab is closed, and can be continued", async () => {
    void chat().send("Tell me a story");
    const answer = await model.asked();
    answer.say("Once upon");
    await vi.waitFor(() =>
      expect(tab.device.storage.getItem(`throughline.partial.${openId()}`)).toContain("Once upon"),
    );
    // The tab is closed, so its lock is released.
    tab.device.locks.clear();
    await tab.reopen();
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
    await tab.reopen();
    await vi.waitFor(() => expect(messages()).toHaveLength(2));
    expect(messages()[1]).toMatchObject(whole);
  });

  it.each([
    ["length", "cut"],
    ["content-filter", "filtered"],
  ] as const)("that ended with %s is shown as %s, also later, and can be continued", async (reason, state) => {
    const sending = chat().send("Tell me a story");
    const answer = await model.asked();
    answer.say("Once upon");
    answer.finish(reason);
    await sending;
    expect(messages()[1]).toMatchObject({ text: "Once upon", state });
    await tab.reopen();
    await vi.waitFor(() => expect(messages()).toHaveLength(2));
    expect(messages()[1]).toMatchObject({ text: "Once upon", state });
    const going = chat().continueAnswer();
    const rest = await model.asked();
    expect(JSON.stringify(model.prompts.at(-1))).toContain("Once upon");
    rest.say("upon a time.");
    rest.finish();
    await going;
    expect(messages()[1]).toMatchObject({ text: "Once upon a time.", state: "done" });
  });

  it.each([
    ["length", "Tiny reached its length limit before it wrote a reply."],
    ["content-filter", "The content filter of Tiny blocked the reply."],
  ] as const)("without a word that ended with %s says so", async (reason, problem) => {
    const sending = chat().send("Tell me a story");
    (await model.asked()).finish(reason);
    await sending;
    expect(messages().at(-1)).toMatchObject({ state: "failed", problem: expect.stringContaining(problem) });
  });

  it("is not taken by another tab while it is written", async () => {
    const sending = chat().send("Tell me a story");
    const answer = await model.asked();
    answer.say("Once upon");
    await vi.waitFor(() =>
      expect(tab.device.storage.getItem(`throughline.partial.${openId()}`)).toContain("Once upon"),
    );
    const other = await tab.device.open();
    await vi.waitFor(() => expect(other.getSnapshot().chat.getSnapshot().messages).toHaveLength(1));
    answer.finish();
    await sending;
    expect(messages()).toHaveLength(2);
    expect(tab.device.storage.getItem(`throughline.partial.${openId()}`)).toBeNull();
  });

  it("is followed by queued messages in order; a queued message can be withdrawn", async () => {
    const sending = [chat().send("One"), chat().send("Two"), chat().send("Three")];
    const first = await model.asked();
    const [, third] = chat().getSnapshot().queued;
    expect(
      chat()
        .getSnapshot()
        .queued.map(({ text }) => text),
    ).toEqual(["Two", "Three"]);
    expect(chat().unqueue(third?.id ?? "")?.text).toBe("Three");
    first.say("1");
    first.finish();
    const second = await model.asked();
    second.say("2");
    second.finish();
    await Promise.all(sending);
    expect(messages().map(({ text }) => text)).toEqual(["One", "1", "Two", "2"]);
  });

  it("puts queued messages back into the field if the tab is closed", async () => {
    void chat().send("One");
    await model.asked();
    void chat().send("Two");
    const id = openId();
    await tab.studio.newChat();
    window.dispatchEvent(new Event("pagehide"));
    expect(tabDrafts.read(id)).toBe("Two");
  });

  it("shows the reasoning of the model, and an error if the model asked for a tool", async () => {
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
