import { renderToStaticMarkup } from "react-dom/server";
import type { ReportedCompaction, SessionReport } from "throughline/internal/inspect";
import { expect, test } from "vitest";
import { RuleStrip } from "./findings.tsx";
import { NeededNames } from "./needed-names.tsx";
import { WindowChart } from "./window-chart.tsx";

const none = { instructions: 0, summaries: 0, user: 0, assistant: 0, calls: 0, results: 0, files: 0, added: 0 };

function call(message: number, bands: Partial<typeof none>) {
  const tokens = Object.values(bands).reduce((sum, one) => sum + one, 0);
  return { message, tokens, bands: { ...none, ...bands } };
}

const report = {
  calls: [call(1, { user: 10 }), call(3, { user: 20 }), call(5, { summaries: 5 })],
  compactions: [{ at: 4, call: 2, lookups: [] }],
  rules: [{ text: "Never push to main.", message: 2, present: [[1, 1]], missingFrom: 2 }],
} as unknown as SessionReport;

test("the cut of a compaction is between the calls beside it", () => {
  const html = renderToStaticMarkup(<WindowChart report={report} selected={1} onSelect={() => undefined} />);
  expect(html).toContain('<line x1="750" x2="750"');
});

test("the legend names every kind of content that the chart has, and the axis the selected call", () => {
  const html = renderToStaticMarkup(<WindowChart report={report} selected={1} onSelect={() => undefined} />);
  const text = html.replaceAll(/<[^>]+>/g, "");
  expect(text).toContain("Summaries 0");
  expect(text).toContain("Your messages 20");
  expect(text).not.toContain("Files");
  expect(text).toMatch(/1\s*3\s*Call 2/);
});

test("the legend leaves out kinds that neither the selected call nor the chart shows", () => {
  const calls = [call(1, { user: 1_000 }), call(3, { user: 1_000, added: 2 })];
  const textOf = (selected: number) =>
    renderToStaticMarkup(
      <WindowChart report={{ ...report, calls, compactions: [] }} selected={selected} onSelect={() => undefined} />,
    );
  expect(textOf(0)).not.toContain("Added by the agent");
  expect(textOf(1)).toContain("Added by the agent");
});

test("a name that was looked up again has the tokens of its lookups, and the sentence the number of calls", () => {
  const lookup = { toolName: "Read", target: "/app/src/cart.ts", message: 9 };
  const compaction = {
    review: { calls: 13, needed: 2, kept: 1, keptNames: ["src/tax.ts"], missing: ["src/cart.ts"] },
    lookups: [
      { ...lookup, tokens: 700 },
      { ...lookup, tokens: 800 },
    ],
    alternative: { text: "", tokens: 1, kept: [], missing: ["src/cart.ts", "src/tax.ts"] },
    evidence: [],
  } as unknown as ReportedCompaction;
  const html = renderToStaticMarkup(
    <NeededNames report={{ ...report, meta: { cwd: "/app" } }} compaction={compaction} />,
  );
  expect(html.match(/looked up again: [\d,]+ tokens/g)).toEqual(["looked up again: 1,500 tokens"]);
  expect(html).toContain("Used by its next 13 tool calls.");
  expect(html).toContain("that Throughline would have written from the same messages");
});

test("a rule counts as missing only after it was given", () => {
  const html = renderToStaticMarkup(<RuleStrip report={report} />);
  expect(html).toMatch(/<i [^>]*style="width:33\.3\d*%"/);
  expect(html).toContain("left:33.3");
});
