import { describe, expect, it } from "vitest";
import type { CondensedNote, ShownMessage } from "../../chat-state.ts";
import { guessHeight, listRows } from "./list-rows.ts";

const message = (id: string, changes: Partial<ShownMessage> = {}): ShownMessage => ({
  id,
  role: "user",
  text: id,
  at: 0,
  state: "done",
  ...changes,
});
const note = (eventId: string, afterMessageId: string): CondensedNote => ({
  eventId,
  round: 1,
  afterMessageId,
  tokensBefore: 10,
  tokensAfter: 5,
  condensedMessages: 2,
  summary: "",
  isUndone: false,
});
const quiet = { notes: [], isAnswering: false, isCondensing: false };
const keys = (rows: ReturnType<typeof listRows>) => rows.map((row) => row.key);

describe("listRows", () => {
  it("puts each note behind its message, in their order", () => {
    const rows = listRows({
      ...quiet,
      messages: [message("a"), message("b")],
      notes: [note("2", "b"), note("1", "a"), note("3", "b")],
    });
    expect(keys(rows)).toEqual(["a", "note:1", "b", "note:2", "note:3"]);
  });

  it("leaves out a note whose message is not shown", () => {
    expect(keys(listRows({ ...quiet, messages: [message("a")], notes: [note("1", "gone")] }))).toEqual(["a"]);
  });

  it("has a waiting row only until the answer begins", () => {
    const asked = { ...quiet, messages: [message("a")], isAnswering: true };
    expect(keys(listRows(asked))).toEqual(["a", "answering"]);
    const begun = [...asked.messages, message("b", { role: "assistant", state: "streaming" })];
    expect(keys(listRows({ ...asked, messages: begun }))).toEqual(["a", "b"]);
  });

  it("names the summary instead of the answer while both are in progress", () => {
    expect(keys(listRows({ ...quiet, messages: [message("a")], isAnswering: true, isCondensing: true }))).toEqual([
      "a",
      "condensing",
    ]);
  });
});

describe("guessHeight", () => {
  it("guesses more for more lines, and for the line below an answer", () => {
    const rowOf = (changes: Partial<ShownMessage>) => ({
      kind: "message" as const,
      key: "a",
      message: message("a", changes),
    });
    const one = guessHeight(rowOf({ text: "one line" }));
    expect(guessHeight(rowOf({ text: "two\nlines" }))).toBeGreaterThan(one);
    expect(guessHeight(rowOf({ text: "one line", role: "assistant" }))).toBeGreaterThan(one);
  });
});
