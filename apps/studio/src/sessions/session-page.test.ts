import { expect, it } from "vitest";
import { readReport } from "./session-page.tsx";

it("a report of the server gets the names and times of the library", () => {
  const report = readReport({
    id: "s",
    title: "t",
    meta: { started_at: "2026-05-01T10:00:00.000Z" },
    messages: [{ role: "user", text: "at", at: "2026-05-01T10:00:00.000Z", is_summary: true }],
    calls: [{ message: 1, tokens: 5, bands: { user: 5 }, model_id: "m" }],
    compactions: [
      { first_message: 7, call: 1, tokens_before: 9, tokens_after: 3, bands_before: { user: 9 }, items: [] },
    ],
    rules: [{ text: "Never.", message: 0, present: [[0, 1]], missing_from: 2, repeated_in: 4 }],
  });
  expect(report).toEqual({
    id: "s",
    title: "t",
    meta: { startedAt: Date.UTC(2026, 4, 1, 10) },
    messages: [{ role: "user", text: "at", at: Date.UTC(2026, 4, 1, 10), isSummary: true }],
    calls: [{ message: 1, tokens: 5, bands: { user: 5 }, modelId: "m" }],
    compactions: [{ at: 7, call: 1, tokensBefore: 9, tokensAfter: 3, bandsBefore: { user: 9 }, items: [] }],
    rules: [{ text: "Never.", message: 0, present: [[0, 1]], missingFrom: 2, repeatedAt: 4 }],
  });
});
