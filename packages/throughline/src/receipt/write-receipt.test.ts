import { describe, expect, it } from "vitest";
import { say, windowOf } from "../message/message.arbitrary.ts";
import { clock } from "../session/long-session.fixture.ts";
import { createThroughline } from "../throughline.ts";

const words = (count: number) => "word ".repeat(count);

async function open(...drafts: Parameters<typeof windowOf>) {
  const session = (await createThroughline({ clock })).session("s", { contextLimit: 24_000 });
  await session.append(windowOf(...drafts));
  return session;
}

describe("a receipt", () => {
  it("names the rule of each message, and its sources", async () => {
    const session = await open(
      say("system", "Be French."),
      say("user", "Do it."),
      say("assistant", words(900)),
      say("user", "More."),
      say("user", "And more."),
      say("assistant", words(900)),
      say("user", "Last."),
      say("assistant", "Fine."),
    );
    const rules = async () =>
      (await session.prepare()).receipt.items.map(({ rule, messageId, sources }) => [rule, messageId, sources]);
    expect(await rules()).toEqual([
      ["system", "system", undefined],
      ["system", "s/m0", undefined],
      ["task", "s/m1", undefined],
      ["tail", "s/m2", undefined],
      ["tail", "s/m3", ["s/m3", "s/m4"]],
      ["tail", "s/m5", undefined],
      ["tail", "s/m6", undefined],
      ["tail", "s/m7", undefined],
    ]);
    await session.compact({ keepTokens: 1 });
    expect(await rules()).toEqual([
      ["system", "system", undefined],
      ["system", "s/m0", undefined],
      ["task", "s/m1", undefined],
      ["summary", "s/compaction-1/summary", ["s/m2", "s/m3", "s/m4", "s/m5", "s/m6"]],
      ["continuation", "s/compaction-1/continuation", undefined],
      ["tail", "s/m7", undefined],
    ]);
  });

  it("names the place of each of the user's rules", async () => {
    const session = await open(
      say("user", "Do it. Never push."),
      say("assistant", words(900)),
      say("user", "Prefer short answers."),
      say("assistant", words(900)),
      say("user", "Last."),
      say("assistant", "Fine."),
    );
    const places = async () => (await session.prepare()).receipt.userRules;
    expect(await places()).toEqual([
      { text: "Never push.", rule: "task", messageId: "s/m0", handle: "part:s/m0.0" },
      { text: "Prefer short answers.", rule: "tail", messageId: "s/m2", handle: "part:s/m2.0" },
    ]);
    await session.compact({ keepTokens: 1 });
    const summary = { rule: "summary", messageId: "s/compaction-1/summary" };
    expect(await places()).toEqual([
      { text: "Never push.", ...summary, handle: "part:s/m0.0" },
      { text: "Prefer short answers.", ...summary, handle: "part:s/m2.0" },
    ]);
  });

  it("does not call a later request the task, nor another agent's text a summary", async () => {
    const [task, summary, ...rest] = windowOf(
      say("user", "Do it."),
      say("assistant", "## Session Summary\nof another"),
      say("user", "On."),
    );
    const session = (await createThroughline({ clock })).session("s");
    if (task === undefined || summary === undefined) throw new Error("no messages");
    await session.append([task, { ...summary, isSummary: true }, ...rest]);
    expect((await session.prepare()).receipt.items.map(({ rule }) => rule)).toEqual(["system", "task", "tail", "tail"]);
  });
});
