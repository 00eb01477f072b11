import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import type { RememberInput } from "../memory/memory-api.ts";
import type { AssembledContext } from "./context-api.ts";
import { type OpenContext, openContext } from "./open-context.fixture.ts";
import { textsOfMemory } from "./tiers/text-variants.ts";

const RULE = "Always run make check before a commit, and never push to the release branch.";
const NOTE = "The release branch is checked by a runner in the cellar.";
const FILE = "src/auth/login.ts";
const SIGNALS = { currentFile: FILE };

/** An episode whose title is shown at least, and with enough room its summary, but not each line. */
function storyWith(quoted: string): RememberInput {
  return {
    kind: "episode",
    title: "Release branch repaired",
    text: [
      "Release branch repaired",
      "Found the release branch broken by a commit that nobody had checked, after two hours of reading logs in vain.",
      "Looked at every job of the last week, at the settings of the runner, and at the keys that sign the packages.",
      "Asked the owners of the branch who had pushed last, and learned that a script of the old team still ran at night.",
      "Switched this script off, removed its key from the settings, and wrote down in the wiki which scripts are left.",
      `Then it was agreed once more: ${quoted}`,
      "The release job now runs the same script as the branch.",
    ].join("\n"),
    artifacts: [{ type: "file", ref: FILE }],
  };
}

async function saved(opened: OpenContext, ...inputs: readonly RememberInput[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const input of inputs) {
    ids.push((await opened.memory.remember(input)).memory.id);
    opened.clock.pass(60_000);
  }
  return ids;
}

describe("a text that an episode quotes", () => {
  it.each([RULE, NOTE])("is shown if the episode is only shown shortened: %s", async (text) => {
    const opened = await openContext();
    await saved(opened, { text, artifacts: [{ type: "file", ref: FILE }] }, storyWith(text));
    const { context, receipt } = await opened.context.assemble({ signals: SIGNALS });
    expect(context).toContain("Release branch repaired");
    expect(context).not.toContain("Then it was agreed");
    expect(context).toContain(`- ${text} (`);
    expect(receipt.nearMisses).toEqual([]);
  });

  it("is left out if the episode shows it, and the receipt names the episode", async () => {
    const opened = await openContext();
    const title = { kind: "episode", title: NOTE, text: NOTE, artifacts: [{ type: "file", ref: FILE }] } as const;
    const [note, story] = await saved(opened, { text: NOTE }, title);
    const { context, receipt } = await opened.context.assemble({ message: "Where is the release branch checked?" });
    expect(context.split(NOTE)).toHaveLength(2);
    const [left, shown] = receipt.items.some(({ id }) => id === story) ? [note, story] : [story, note];
    expect(receipt.nearMisses).toEqual([expect.objectContaining({ id: left, cause: "repeated", repeats: shown })]);
  });

  it("is shown as a rule if it is one, even if the episode shows it", async () => {
    const opened = await openContext();
    await saved(opened, { text: RULE }, { ...storyWith(RULE), title: RULE, text: RULE });
    const { context } = await opened.context.assemble({ signals: SIGNALS });
    expect(context).toContain(`## Rules\n- ${RULE} (`);
  });
});

describe("a memory that does not fit", () => {
  it("is in the receipt with the cause", async () => {
    const opened = await openContext();
    const names = ["heron", "stork", "crane", "ibis", "egret", "swan", "goose", "duck", "coot", "grebe"];
    await saved(opened, ...names.map((name) => ({ text: `Always ask the owner of ${name} before a change there.` })));
    const { receipt } = await opened.context.assemble({ budget: 120 });
    expect(receipt.nearMisses.length).toBeGreaterThan(3);
    expect(new Set(receipt.nearMisses.map(({ cause }) => cause))).toEqual(new Set(["no-room"]));
  });
});

const QUOTES = [
  RULE,
  NOTE,
  "I prefer small commits with one idea each.",
  "We decided to sign every package twice.",
  "Never amend a commit that others have pulled, unless its author agreed to it in writing the day before.",
  "tabs",
];
const story = fc
  .record({
    kind: fc.constantFrom<NonNullable<RememberInput["kind"]>[]>("episode", "episode", "pattern", "workflow"),
    lines: fc.array(fc.constantFrom(...QUOTES, ...storyWith(RULE).text.split("\n")), { minLength: 1, maxLength: 9 }),
    isTitled: fc.boolean(),
  })
  .map(({ kind, lines, isTitled }): RememberInput => {
    return { ...storyWith(""), kind, text: lines.join("\n"), title: isTitled ? "Releases" : (lines[0] ?? "") };
  });
const fact = fc
  .record({ text: fc.constantFrom(...QUOTES), pinned: fc.boolean() })
  .map((one): RememberInput => ({ ...one, artifacts: [{ type: "file", ref: FILE }] }));

const NOTE_AT_END = / \([^()\n]*\d{4}-\d\d-\d\d\)(?=:?(?:\n|$))/gm;

function wordsOf(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
}

/**
 * Each memory that was left out as a repetition is in the text: a fact with all its words, others with those that would
 * be shown. A copy of a memory that is shown may be shortened like it.
 */
async function expectRepeated({ context, receipt }: AssembledContext, { memory }: OpenContext): Promise<void> {
  const shown = wordsOf(context.replace(NOTE_AT_END, ""));
  // The index names memories that are not shown.
  const items = new Set(receipt.items.filter(({ tier }) => tier !== "index").map(({ id }) => id));
  for (const { id, level, cause, repeats = "" } of receipt.nearMisses) {
    expect(items).not.toContain(id);
    if (cause !== "repeated") continue;
    expect(items).toContain(repeats);
    const [left, other] = await memory.get([id, repeats]);
    if (left === undefined || left.levels.full === other?.levels.full) continue;
    const form = textsOfMemory(left).variants.find((one) => one.level === level);
    expect(shown).toContain(left.kind === "fact" ? wordsOf(left.levels.full) : ` ${form?.words} `);
  }
}

describe("any context (property)", () => {
  it("contains the words of each omitted repetition, and each fact is in it or in its receipt", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fact, { minLength: 1, maxLength: 6 }),
        fc.array(story, { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 60, max: 900 }), { minLength: 1, maxLength: 4 }),
        async (facts, stories, budgets) => {
          const opened = await openContext();
          const ids = await saved(opened, ...facts);
          await saved(opened, ...stories);
          for (const budget of budgets) {
            const assembled = await opened.context.assemble({ budget, signals: SIGNALS });
            await expectRepeated(assembled, opened);
            const { items, nearMisses } = assembled.receipt;
            const told = new Set([...items, ...nearMisses].map(({ id }) => id));
            for (const id of ids) expect(told).toContain(id);
          }
        },
      ),
      { numRuns: cases(60) },
    );
  });
});
