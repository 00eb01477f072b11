import { describe, expect, it } from "vitest";
import { dateWords, findDates } from "./dates.ts";

const NOW = Date.UTC(2024, 2, 13, 15); // a Wednesday
const spans = (text: string, now?: number): string[] =>
  findDates(text, now === undefined ? {} : { now }).flatMap(({ span }) =>
    span === undefined ? [] : [[span.from, span.to].map((at) => new Date(at).toISOString().slice(0, 10)).join(" ")],
  );
const values = (text: string): string[] => findDates(text).map(({ kind, value }) => `${kind} ${value}`);

describe("findDates", () => {
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
    ["What happened on 2023/5/7?", "2023-05-07 2023-05-08"],
    ["Which bugs were fixed in 2023-05?", "2023-05-01 2023-06-01"],
    ["Who came on May 7-9, 2023?", "2023-05-07 2023-05-10"],
    ["Who came on 3 Sept?", "2023-09-03 2023-09-04"],
    ["Where did she move from 4 years ago?", "2020-01-01 2021-01-01"],
  ])("resolves %s", (text, span) => {
    expect(spans(text, NOW)).toEqual([span]);
  });

  it.each([
    "May I ask something?",
    "Why did the march end?",
    "What is 12 plus 30?",
    "on 31 February 2023",
    "the market 5 years on",
    "see example.com/2018/12/21/news and img/2021-03/a.png",
  ])("resolves no date in: %s", (text) => {
    expect(spans(text, NOW)).toEqual([]);
  });

  it("resolves only dates with a year if the current time is not given", () => {
    expect(spans("on 7 May 2023, on March 3, and last week")).toEqual(["2023-05-07 2023-05-08"]);
  });

  it("gives comparable values and positions", () => {
    expect(values("Call on March 5th at 9:30 PM, or 5 march at 9 a.m.")).toEqual([
      "day 03-05",
      "time 9:30pm",
      "day 03-05",
      "time 9am",
    ]);
    expect(values("next Friday, in Q3 2024, from 2019")).toEqual(["weekday friday", "quarter q3 2024", "year 2019"]);
    expect(findDates("Due Friday, March 3.")).toEqual([
      { kind: "day", value: "03-03", weekday: "friday", start: 4, end: 19 },
    ]);
  });
});

describe("dateWords", () => {
  it("writes a day in words", () => {
    expect(dateWords(Date.UTC(2023, 4, 8))).toBe("Monday 8 May 2023");
    expect(dateWords(Number.NaN)).toBe("");
  });
});
