// Invented sessions of a coding agent for the pictures. Only their texts are invented: sizes, losses and comparisons
// are computed by Throughline.

/** A step of a session: words of the user or the agent, or a tool call with its result. */
type Step =
  | { readonly ask: string }
  | { readonly say: string }
  | { readonly read: string; readonly names: readonly string[] }
  | { readonly run: string; readonly output: string }
  | { readonly edit: string; readonly from: string; readonly to: string };

interface Story {
  readonly id: string;
  readonly folder: string;
  readonly startedAt: string;
  readonly before: readonly Step[];
  /** Summary of the compaction; missing if there was none. */
  readonly summary?: string;
  readonly after?: readonly Step[];
}

const invoiceTotal: Step = { read: "src/billing/invoice-total.ts", names: ["invoiceTotal", "lineTotal", "withTax"] };
const discounts: Step = { read: "src/cart/discount-rules.ts", names: ["applyDiscount", "splitVoucher", "bestOffer"] };
const rounding: Step = { read: "src/money/round-half-even.ts", names: ["roundHalfEven", "toMinorUnits"] };
const currencies: Step = { read: "src/money/currency-table.ts", names: ["minorDigits", "formatAmount"] };
const totalTest: Step = { read: "test/billing/invoice-total.test.ts", names: ["voucherOrder", "mixedTaxOrder"] };

export const STORIES: readonly Story[] = [
  {
    id: "5b0e7c1d",
    folder: "/home/ada/checkout",
    startedAt: "2026-03-12T09:14:00Z",
    before: [
      { ask: "Some invoices are one cent off. Find out why." },
      { ask: "Never push to main without asking me." },
      { run: "git log --oneline -5", output: "8d1f0b2 Vouchers for several lines\n51c07aa Tax of the Azores\n" },
      invoiceTotal,
      { read: "src/cart/line-items.ts", names: ["lineItems", "mergeLines", "quantityOf"] },
      { read: "src/billing/tax-rates.ts", names: ["taxRateOf", "reducedRates"] },
      discounts,
      rounding,
      { say: "Each line is rounded on its own, so a voucher that is split over three lines can lose a cent." },
      { ask: "Right. Round once per tax rate, as the accountant does." },
      currencies,
      totalTest,
      { run: "npx vitest run test/billing", output: "FAIL test/billing/invoice-total.test.ts > voucherOrder\n" },
      { read: "src/orders/refund-policy.ts", names: ["refundOf", "openRefunds"] },
      { read: "src/api/checkout-route.ts", names: ["postCheckout", "readBasket"] },
      { say: "Refunds use the same sum. I will change invoiceTotal first and refundOf after it." },
    ],
    summary: `This session is being continued from a previous conversation that ran out of context.

1. Primary request: The user reports that some invoices are one cent off, and wants to know the reason and have it repaired. They asked to round once per tax rate, as their accountant does, and not once per line.

2. Findings: The total is computed in src/billing/invoice-total.ts. The function invoiceTotal adds the lines after each of them was rounded, so a voucher that is split over several lines can lose or gain a cent. The tax rates in src/billing/tax-rates.ts are correct and need no change. The lines of the cart are merged before the total is computed, which is correct as well. Rounding itself is done by roundHalfEven and works as it should.

3. Work so far: All files that take part in the computation were read, and the tests of the billing folder were run once. One of them fails, and it shows the mistake with a voucher on three lines. No file has been changed yet.

4. Other places: Refunds are computed with the same sum, so they have the same mistake. The route of the checkout only passes the basket on.

5. Next steps: Change invoiceTotal so that it groups the lines by tax rate, adds them up, and rounds each group once. Then look at the discounts, because they have to stay exact until the rounding. Then run the tests of the billing folder again, and repair the refunds in the same way. At the end, explain the reason to the user in a few sentences.`,
    after: [
      invoiceTotal,
      {
        edit: "src/billing/invoice-total.ts",
        from: "lines.map(lineTotal).map(roundHalfEven)",
        to: "groupByRate(lines).map(sumOf).map(roundHalfEven)",
      },
      { run: "grep -rn applyDiscount src", output: "src/cart/discount-rules.ts:12:export function applyDiscount(\n" },
      discounts,
      {
        edit: "src/cart/discount-rules.ts",
        from: "return roundHalfEven(share);",
        to: "return share;",
      },
      rounding,
      currencies,
      totalTest,
      { run: "npx vitest run test/billing", output: "PASS test/billing/invoice-total.test.ts (14 tests)\n" },
      { read: "src/orders/refund-policy.ts", names: ["refundOf", "openRefunds"] },
      { edit: "src/orders/refund-policy.ts", from: "roundHalfEven(lineTotal(line))", to: "invoiceTotal(lines)" },
      { run: "npx vitest run", output: "PASS 41 files, 388 tests\n" },
      { say: "Invoices and refunds now round once per tax rate. All 388 tests pass." },
    ],
  },
  {
    id: "c94a12fe",
    folder: "/home/ada/garden",
    startedAt: "2026-03-11T16:40:00Z",
    before: [
      { ask: "The watering plan ignores rain. Use the forecast." },
      { read: "src/plan/watering-plan.ts", names: ["wateringPlan", "litresFor"] },
      { read: "src/weather/forecast-client.ts", names: ["readForecast", "rainOf"] },
      { read: "src/plan/soil-moisture.ts", names: ["soilMoisture", "dryDays"] },
    ],
    summary:
      "The user wants the watering plan to use the forecast. wateringPlan in src/plan/watering-plan.ts has to subtract the rain that rainOf in src/weather/forecast-client.ts gives. The moisture of the soil was read as well and has an influence on dry days only. Nothing was changed yet.",
    after: [
      { read: "src/plan/watering-plan.ts", names: ["wateringPlan", "litresFor"] },
      { read: "src/plan/soil-moisture.ts", names: ["soilMoisture", "dryDays"] },
      { edit: "src/plan/watering-plan.ts", from: "litresFor(bed)", to: "litresFor(bed) - rainOf(day)" },
      { say: "The plan subtracts the rain of the forecast." },
    ],
  },
  {
    id: "07d3be66",
    folder: "/home/ada/catalogue",
    startedAt: "2026-03-10T08:05:00Z",
    before: [
      { ask: "Why does the nightly import take 40 minutes?" },
      { read: "jobs/nightly-import.ts", names: ["nightlyImport", "importBatch"] },
      { run: "node jobs/profile.mjs", output: "importBatch 38.2 min, 1 insert per row\n" },
      { read: "src/store/insert-rows.ts", names: ["insertRows", "openPool"] },
    ],
    summary:
      "The nightly import is slow since importBatch in jobs/nightly-import.ts inserts one row at a time. insertRows in src/store/insert-rows.ts takes many rows at once and should be used in its place. The profile is made with jobs/profile.mjs.",
    after: [
      { edit: "jobs/nightly-import.ts", from: "for (const row of rows) insert(row)", to: "insertRows(rows)" },
      { run: "node jobs/profile.mjs", output: "importBatch 1.9 min\n" },
      { say: "The import takes two minutes now." },
    ],
  },
  {
    id: "e1f85a30",
    folder: "/home/ada/catalogue",
    startedAt: "2026-03-09T13:20:00Z",
    before: [
      { ask: "Add a dark theme to the catalogue." },
      { read: "src/theme/colours.ts", names: ["colours", "contrastOf"] },
      { edit: "src/theme/colours.ts", from: "background: white", to: "background: light-dark(white, black)" },
      { say: "The catalogue follows the theme of the system." },
    ],
  },
];

/** Tokens of the system prompt and the tools, which stay in the prompt cache of the provider. */
const INSTRUCTIONS = 16_800;
const CHARACTERS_PER_TOKEN = 3.4;

/** A transcript in the format of Claude Code, and the time of its last line in milliseconds. */
export function transcriptOf(story: Story): { readonly text: string; readonly endedAt: number } {
  const { id, folder, summary, before, after = [] } = story;
  const lines: string[] = [];
  let at = Date.parse(story.startedAt);
  let cached = INSTRUCTIONS;
  let tokens = INSTRUCTIONS;
  const line = (
    type: "user" | "assistant",
    content: unknown,
    more: object = {},
    seconds = 4 + (lines.length % 5) * 7,
  ) => {
    at += 1_000 * seconds;
    const about = {
      sessionId: id,
      isSidechain: false,
      cwd: folder,
      gitBranch: "fix",
      timestamp: new Date(at).toISOString(),
    };
    const parentUuid = lines.length === 0 ? null : `${id}-${lines.length - 1}`;
    const message = { role: type, content, ...(type === "assistant" ? replyFields() : {}) };
    lines.push(JSON.stringify({ ...about, type, uuid: `${id}-${lines.length}`, parentUuid, message, ...more }));
    tokens += Math.round(JSON.stringify(content).length / CHARACTERS_PER_TOKEN);
  };
  // The window before is read from the cache, and what came since is written to it.
  const replyFields = () => {
    const usage = {
      input_tokens: 4,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: tokens - cached,
      output_tokens: 180,
    };
    cached = tokens;
    return { id: `msg-${id}-${lines.length}`, model: "claude-sonnet-4-5", usage };
  };
  const tool = (name: string, input: object, output: string) => {
    const toolId = `tool-${id}-${lines.length}`;
    line("assistant", [{ type: "tool_use", id: toolId, name, input }]);
    line("user", [{ type: "tool_result", tool_use_id: toolId, content: output }]);
  };
  const take = (step: Step) => {
    if ("ask" in step) line("user", step.ask, {}, 95);
    else if ("say" in step) line("assistant", [{ type: "text", text: step.say }]);
    else if ("read" in step) tool("Read", { file_path: `${folder}/${step.read}` }, sourceText(step.names));
    else if ("run" in step) tool("Bash", { command: step.run }, step.output);
    else {
      const input = { file_path: `${folder}/${step.edit}`, old_string: step.from, new_string: step.to };
      tool("Edit", input, `The file ${folder}/${step.edit} has been updated.`);
    }
  };
  for (const step of before) take(step);
  if (summary !== undefined) {
    cached = INSTRUCTIONS;
    tokens = INSTRUCTIONS;
    line("user", summary, { isCompactSummary: true }, 48);
  }
  for (const step of after) take(step);
  return { text: `${lines.join("\n")}\n`, endedAt: at };
}

/** Source code of these functions, as long as files mostly are. */
function sourceText(names: readonly string[]): string {
  const checks = [
    "is missing",
    "is negative",
    "has no currency",
    "belongs to another order",
    "was cancelled",
    "is a copy",
  ];
  return names
    .flatMap((name) => [
      `/** Takes the entries one after the other and leaves out those that do not count. */`,
      `export function ${name}(entries, options) {`,
      "  const found = [];",
      "  for (const entry of entries) {",
      ...checks.flatMap((check) => [
        `    // An entry that ${check} does not count, unless the options ask for it.`,
        "    if (entry.state === options.left && !options.all) continue;",
        "    found.push({ ...entry, amount: entry.amount * entry.count });",
      ]),
      "  }",
      "  return found;",
      "}",
    ])
    .join("\n")
    .repeat(4);
}
