import { createThroughline, type Message, type Store, validateWindow } from "throughline";
import { expect } from "vitest";
import type { WorkerWord } from "./worker-task.ts";

/** Texts of a session, in order. */
async function textsOf(store: Store, session: string): Promise<string[]> {
  const messages = await store.messages.list({ userId: "local", sessionId: session });
  return messages.flatMap(({ role, parts }: Message) => {
    const [part] = parts;
    return role === "user" && part?.type === "text" ? [part.text] : [];
  });
}

/** Checks that everything acknowledged exists once, in the order of each writer. */
export async function checkMessages(store: Store, session: string, words: readonly WorkerWord[]): Promise<void> {
  const texts = await textsOf(store, session);
  expect(new Set(texts).size).toBe(texts.length);
  const said = words.flatMap((word) => (word.kind === "appended" && word.session === session ? [word.text] : []));
  expect(said.filter((text) => !texts.includes(text))).toEqual([]);
  const messages = await store.messages.list({ userId: "local", sessionId: session });
  // The messages of one append are adjacent and complete.
  expect(messages.map(({ role }) => role)).toEqual(texts.flatMap(() => ["user", "assistant"]));
  for (const writer of new Set(texts.map((text) => text.split(" says ")[0]))) {
    const numbers = texts
      .filter((text) => text.startsWith(`${writer} says `))
      .map((text) => Number(text.split(" ")[2]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
}

/**
 * Checks that no compaction is stored partially: acknowledged ones exist, rounds have no gaps, each names its messages,
 * and all can be undone.
 */
export async function checkCompactions(store: Store, id: string, words: readonly WorkerWord[]): Promise<void> {
  const session = (await createThroughline({ store })).session(id, { lockTime: 400, lockWait: 5_000 });
  const events = await session.compactions();
  expect(events.map(({ round }) => round)).toEqual(events.map((_, index) => index + 1));
  const told = words.flatMap((word) => (word.kind === "compacted" && word.session === id ? [word.event] : []));
  expect(told.filter((event) => events.every((one) => one.id !== event))).toEqual([]);
  const turn = await session.prepare();
  for (const provider of ["openai", "anthropic", "gemini"] as const)
    expect(validateWindow(turn.messages, provider)).toEqual([]);
  expect((await session.status()).compactions).toBe(events.length);
  for (const event of events) {
    const { messages } = await session.recall(event.id);
    expect(messages.map((message) => message.id)).toEqual(expect.arrayContaining([...event.compactedMessageIds]));
  }
  for (const event of events.slice(0, 1)) await session.restore(event.id);
}

/** At no time did two workers compact one session. */
export function checkOneAtATime(words: readonly WorkerWord[]): void {
  const spans = words.flatMap((word) => (word.kind === "start" || word.kind === "end" ? [word] : []));
  for (const session of new Set(spans.map((span) => span.session))) {
    const kinds = spans
      .filter((span) => span.session === session)
      .sort((a, b) => a.at - b.at)
      .map(({ kind }) => kind);
    expect(kinds).toEqual(kinds.map((_, index) => (index % 2 === 0 ? "start" : "end")));
  }
}
