import { describe, expect, it } from "vitest";
import { readDates } from "./read-dates.ts";

const NOW = Date.UTC(2024, 2, 13, 15); // a Wednesday
const days = (text: string): string[] =>
  readDates(text, NOW).map(({ from, to }) => [from, to].map((at) => new Date(at).toISOString().slice(0, 10)).join(" "));

describe("readDates", () => {
  it.each([
    ["What happened on 2023-05-07?", "2023-05-07 2023-05-08"],
    ["What happened on 7 May 2023?", "2023-05-07 2023-05-08"],
    ["What happened on May 7th, 2023?", "2023-05-07 2023-05-08"],
    ["Who called in May 2023?", "2023-05-01 2023-06-01"],
    ["Where was I in 2022?", "2022-01-01 2023-01-01"],
    ["What did I do in June?", "2023-06-01 2023-07-01"],
    ["What did I do in February?", "2024-02-01 2024-03-01"],
    ["What did I say on March 20?", "2023-03-20 2023-03-21"],
    ["What did I do yesterday?", "2024-03-12 2024-03-13"],
    ["What did we decide last week?", "2024-03-04 2024-03-11"],
    ["What did we decide last month?", "2024-02-01 2024-03-01"],
    ["Who came two days ago?", "2024-03-11 2024-03-12"],
    ["Who came last Monday?", "2024-03-11 2024-03-12"],
  ])("reads %s", (text, span) => {
    expect(days(text)).toEqual([span]);
  });

  it.each(["May I ask something?", "Why did the march end?", "What is 12 plus 30?", "on 31 February 2023"])(
    "reads no date in: %s",
    (text) => {
      expect(days(text)).toEqual([]);
    },
  );
});
