// @vitest-environment happy-dom
import { toast } from "sonner";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endAllToasts, sayProblem } from "./panel-toast.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  endAllToasts();
  vi.useRealTimers();
});

const shown = () => toast.getToasts().map((one) => "title" in one && one.title);

it("the same words are one toast, which ends in its own time, wherever the toaster moves meanwhile", () => {
  sayProblem("Ten are pinned already.");
  vi.advanceTimersByTime(5_000);
  sayProblem("Ten are pinned already.");
  expect(shown()).toEqual(["Ten are pinned already."]);
  vi.advanceTimersByTime(5_000);
  expect(shown()).toEqual(["Ten are pinned already."]);
  vi.advanceTimersByTime(3_000);
  expect(shown()).toEqual([]);
});

it("what is said of one conversation ends with it", () => {
  sayProblem("It was not saved.");
  endAllToasts();
  expect(shown()).toEqual([]);
});
