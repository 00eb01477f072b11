// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { AnswerInProgress } from "./answer-in-progress.ts";

it("has all of its text saved when it ends, however fast it came", () => {
  const saved: string[] = [];
  const answer = new AnswerInProgress({ show: () => undefined, save: (text) => void saved.push(text) });
  for (const text of ["0", "0 1", "0 1 2"]) answer.note(text, "");
  expect(saved[0]).toBe("0");
  answer.end();
  expect(saved.at(-1)).toBe("0 1 2");
});

it("saves its text when the page is closed, and no more once it has ended", () => {
  const saved: string[] = [];
  const answer = new AnswerInProgress({ show: () => undefined, save: (text) => void saved.push(text) });
  answer.note("Once upon", "");
  answer.note("Once upon a time", "");
  globalThis.dispatchEvent(new Event("pagehide"));
  expect(saved.at(-1)).toBe("Once upon a time");
  answer.end();
  const { length } = saved;
  globalThis.dispatchEvent(new Event("pagehide"));
  expect(saved).toHaveLength(length);
});
