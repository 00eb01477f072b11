// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { AnswerInProgress } from "./answer-in-progress.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("has its text saved while its model is silent", () => {
  vi.useFakeTimers();
  const saved: string[] = [];
  const answer = new AnswerInProgress({ show: () => undefined, save: (text) => void saved.push(text) });
  const text = "Once upon a time ".repeat(2_000);
  for (const end of [100, 200, text.length]) answer.note(text.slice(0, end), "");
  expect(saved.at(-1)).not.toBe(text);
  vi.advanceTimersByTime(400);
  expect(saved.at(-1)).toBe(text);
  answer.end();
});

it("has few copies saved of a long text", () => {
  vi.useFakeTimers();
  const saved: string[] = [];
  const answer = new AnswerInProgress({ show: () => undefined, save: (text) => void saved.push(text) });
  for (let words = 2_000; words < 2_200; words += 1) {
    answer.note("Once upon a time ".repeat(words), "");
    vi.advanceTimersByTime(10);
  }
  expect(saved.length).toBeLessThan(8);
  answer.end();
});

it("saves its whole text at the end, even for a fast stream", () => {
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
