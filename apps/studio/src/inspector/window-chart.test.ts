import { expect, test } from "vitest";
import { axisCalls } from "./window-chart.tsx";

const numbers = (calls: number) => axisCalls(calls).map((call) => call + 1);

test("the axis names the first and the last call, and round numbers between them", () => {
  expect(numbers(20)).toEqual([1, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  expect(numbers(88)).toEqual([1, 10, 20, 30, 40, 50, 60, 70, 80, 88]);
  expect(numbers(1_204)).toEqual([1, 200, 400, 600, 800, 1_000, 1_204]);
  expect([numbers(0), numbers(1), numbers(2), numbers(3)]).toEqual([[], [1], [1, 2], [1, 2, 3]]);
});
