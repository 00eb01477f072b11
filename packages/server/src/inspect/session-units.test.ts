import { createThroughline, type ModelMessage } from "throughline";
import { windowOfCall } from "throughline/internal/inspect";
import { createTokenCounter, messageText } from "throughline/internal/util";
import { expect, test } from "vitest";
import { storedUnit } from "./session-units.ts";

const counter = createTokenCounter("gpt-4o", {});

function reads(from: number, to: number): ModelMessage[] {
  return Array.from({ length: to - from }, (_, i) => from + i).flatMap((i): ModelMessage[] => {
    const [toolCallId, toolName] = [`t${i}`, "read"];
    const value = `export const part${i} = (order) => order.total * ${i};\n`.repeat(40);
    return [
      { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input: { file: `part${i}.ts` } }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value } }] },
    ];
  });
}

/** A session with a clock that moves with each look, and its unit. */
async function openSession() {
  let now = 1_000;
  const throughline = await createThroughline({ clock: { now: () => (now += 1) } });
  const session = throughline.session("own", { modelId: "gpt-4o", contextLimit: 32_000 });
  await session.append([{ role: "user", content: "Repair the parts." }, ...reads(0, 60)]);
  const about = { userId: "u", sessionId: "own", version: "1", changedAt: 0, projectId: undefined };
  const unit = storedUnit({ ...about, open: async () => ({ session, options: {} }) });
  const load = async () => {
    const [recorded] = await unit.load();
    if (recorded === undefined) throw new TypeError("The unit has no session.");
    return recorded;
  };
  return { throughline, session, load };
}

test("the window of a call is the one that was prepared for it, masked outputs included", async () => {
  const { throughline, session, load } = await openSession();
  const sent: string[][] = [];
  for (let round = 0; round < 3; round += 1) {
    const turn = await session.prepare();
    sent.push((await session.window.messages()).map(({ message }) => messageText(message)));
    if (round === 0) expect(turn.wasPruned || turn.wasCompacted).toBe(true);
    await session.append([{ role: "assistant", content: `Reply ${round}.` }]);
    await session.append([{ role: "user", content: `Go on ${round}.` }, ...reads(60 + 20 * round, 80 + 20 * round)]);
  }
  const recorded = await load();
  expect(recorded.masks?.length).toBeGreaterThan(0);
  const calls = recorded.messages.filter(({ role }) => role === "assistant");
  for (const [round, texts] of sent.entries()) {
    const call = calls.findIndex((message) => messageText(message) === `Reply ${round}.`);
    const window = windowOfCall(recorded, call, counter.part);
    expect(window?.messages.map(({ message }) => messageText(message))).toEqual(texts);
  }
  await throughline.close();
});

test("the window of a call shows the note in place of a message that was taken out by hand before it", async () => {
  const { throughline, session, load } = await openSession();
  await session.append([{ role: "assistant", content: "First. ".repeat(50) }]);
  const taken = (await session.history()).at(-1);
  await session.window.mask([`message:${taken?.id}`]);
  await session.append([{ role: "user", content: "Go on." }]);
  const sent = (await session.window.messages()).map(({ message }) => messageText(message));
  await session.append([{ role: "assistant", content: "Second." }]);
  const recorded = await load();
  const calls = recorded.messages.filter(({ role }) => role === "assistant").length;
  const texts = windowOfCall(recorded, calls - 1, counter.part)?.messages.map(({ message }) => messageText(message));
  expect(texts).toEqual(sent);
  expect(texts?.at(-2)).toMatch(/^\[Text masked: 101 tokens/);
  await throughline.close();
});
