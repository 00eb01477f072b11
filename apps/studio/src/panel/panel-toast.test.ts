import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { panelToasts, sayProblem } from "./panel-toast.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  panelToasts.dismissAll();
  vi.useRealTimers();
});

const shown = () => panelToasts.getSnapshot().toasts.map(({ content }) => content);

it("the same text is one toast, which ends after its own time", () => {
  sayProblem("Ten are pinned already.");
  vi.advanceTimersByTime(5_000);
  sayProblem("Ten are pinned already.");
  expect(shown()).toEqual(["Ten are pinned already."]);
  vi.advanceTimersByTime(5_000);
  expect(shown()).toEqual(["Ten are pinned already."]);
  vi.advanceTimersByTime(3_000);
  expect(shown()).toEqual([]);
});

it("the toasts of a conversation end with it", () => {
  sayProblem("It was not saved.");
  panelToasts.dismissAll();
  expect(shown()).toEqual([]);
});
