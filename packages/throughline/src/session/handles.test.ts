import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import { IrreducibleContextError } from "../errors/session-errors.ts";
import { callPart, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import type { Message } from "../message/message.ts";
import type { PartDraft } from "../message/part.ts";
import { createThroughline } from "../throughline.ts";
import { clock, steps, task } from "./long-session.fixture.ts";
import type { Session } from "./session.ts";

let calls = 0;
const words = (count: number) => "word ".repeat(count);

async function open(messages: readonly Message[]): Promise<Session> {
  const session = (await createThroughline({ clock })).session("s", { contextLimit: 24_000 });
  await session.append(messages);
  return session;
}

/** A session that is not compacted again before new messages are appended, so its window has to be trimmed. */
async function openUndone(messages: readonly Message[]): Promise<Session> {
  const session = await open(messages);
  const event = await session.compact({ keepTokens: 0, targetTokens: 60 });
  if (event !== undefined) await session.restore(event.id);
  return session;
}

/** The ids of all messages that a window shows, or that its handles expand to. */
async function reachable(session: Session, budget: number): Promise<ReadonlySet<string>> {
  const { receipt } = await session.prepare({ budget });
  const shown = receipt.items.flatMap(({ messageId, sources = [] }) => [messageId, ...sources]);
  const handles = [
    ...receipt.handles,
    ...receipt.items.flatMap(({ shortened = [] }) => shortened.map((id) => `part:${id}`)),
    ...receipt.items.flatMap(({ rule, messageId }) => (rule === "summary" ? [messageId.replace("/summary", "")] : [])),
  ];
  const recalled = await Promise.all(handles.map((handle) => session.recall(handle)));
  return new Set([...shown, ...recalled.flatMap(({ messages }) => messages.map(({ id }) => id))]);
}

describe("messages that left a window", () => {
  it("have a handle that returns all of them, also if results came late and in another order", async () => {
    const session = await openUndone(
      windowOf(
        say("user", "go"),
        say("assistant", callPart("a", { path: words(200) }), callPart("b")),
        say("tool", resultPart("b")),
        say("user", "wait"),
        say("tool", resultPart("a", words(200))),
        say("assistant", words(100)),
        say("user", "last"),
      ),
    );
    const found = await reachable(session, 200);
    expect([...found]).toEqual(expect.arrayContaining(["s/m1", "s/m2", "s/m4"]));
  });

  it("have a handle also if they are synthetic or a summary of another agent", async () => {
    const meta: PartDraft = { type: "text", text: words(400), synthetic: true };
    const marker: PartDraft = {
      type: "compaction-marker",
      summary: words(400),
      compactedAt: 1,
      messagesCompacted: 3,
      originalTokens: 9,
    };
    const drafts = [
      say("user", "go"),
      say("assistant", words(100)),
      say("user", meta),
      say("assistant", marker),
      say("user", "on"),
      say("assistant", words(100)),
      say("user", "last"),
    ];
    const found = await reachable(await openUndone(windowOf(...drafts)), 300);
    expect([...found]).toEqual(expect.arrayContaining(["s/m2", "s/m3"]));
  });

  it("can be recalled in any session", async () => {
    const size = fc.constantFrom(1, 40, 300);
    const step = fc.oneof(
      size.map((n) => [say("user", words(n))]),
      size.map((n) => [say("assistant", words(n))]),
      fc.tuple(size, size, fc.boolean()).map(([a, b, isLate]) => {
        calls += 1;
        const [x, y] = [`x${calls}`, `y${calls}`];
        return [
          say("assistant", callPart(x, { path: words(a) }), callPart(y)),
          say("tool", resultPart(y, words(b))),
          ...(isLate ? [say("user", "meanwhile")] : []),
          say("tool", resultPart(x, words(a))),
        ];
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 12 }),
        fc.constantFrom(300, 700, 1_500),
        async (list, budget) => {
          const session = await openUndone(windowOf(say("user", "go"), ...list.flat()));
          try {
            const found = await reachable(session, budget);
            for (const { id, parts } of await session.history()) {
              // A result is listed with its call, under the call's message.
              if (parts.some((part) => part.type !== "tool-result")) expect(found).toContain(id);
            }
          } catch (error) {
            if (!(error instanceof IrreducibleContextError)) throw error;
          }
        },
      ),
      { numRuns: cases(40) },
    );
  });

  it("are restored equally if compactions are undone one by one or all at once", async () => {
    const restored = async (layers: readonly number[]) => {
      const session = await open(windowOf(say("user", task)));
      for (let round = 0; round < 2; round += 1) {
        await session.append(steps(30, 2_000).map((message) => renamed(message, round)));
        await session.prune();
        await session.compact({ keepTokens: 100 });
      }
      const events = await session.compactions();
      for (const layer of layers) await session.restore(events[layer]?.id ?? "");
      return (await session.prepare({ budget: 900_000 })).messages;
    };
    expect(await restored([0])).toEqual(await restored([1, 0]));
  });
});

/** The same step with its own call id. */
function renamed<T>(message: T, round: number): T {
  return JSON.parse(JSON.stringify(message).replaceAll(/"c(\d+)"/g, `"c${round}-$1"`));
}
