import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import { EMPTY_LEDGER, type Ledger } from "./ledger.ts";
import { rankNames } from "./ledger-names.ts";
import { reduceLedger } from "./reduce-ledger.ts";
import { renderLedger } from "./render/render-ledger.ts";
import { readLedger, slimLedger } from "./serialize-ledger.ts";
import { anySession, assistant, ledgerOf, tool, user } from "./session.arbitrary.ts";

const reload = (ledger: Ledger): unknown => JSON.parse(JSON.stringify(ledger));
const render = (ledger: Ledger, budget = 600) =>
  renderLedger(ledger, { budget, count: (text) => text.length, words: budget / 2, focus: "thing" });

/** A session that fills every list of the ledger. */
function longSession(): Ledger {
  let ledger = EMPTY_LEDGER;
  for (let i = 0; i < 600; i += 1) {
    const names = Array.from({ length: 10 }, (_, n) => `/home/ada/app/src/name_${i}_${n}.ts`).join(" ");
    const done = [
      user(`Request ${i}: "${names}"\nNever change module ${i} in any way.`),
      ...tool("Edit", { file_path: `/home/ada/app/src/file_${i}.ts`, new_string: names }),
      ...tool("Bash", { command: `node run_${i}.ts ${names}` }, `!Exit code 1\nError: ${names}`),
      assistant(`I decided to keep ${names.slice(0, 200)}.`),
    ];
    ledger = done.reduce(reduceLedger, ledger);
  }
  return ledger;
}

/** A copy of a value with the element at a path replaced. */
function replaceAt(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step = 0, ...rest] = path;
  if (typeof value !== "object" || value === null || path.length === 0) return other;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return other;
  const inner = replaceAt((value as Record<string, unknown>)[key], rest, other);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
}

const long = longSession();

describe("slimLedger", () => {
  it("keeps the user's words and the highest ranked names, in much less space", () => {
    const slim = slimLedger(long);
    expect(JSON.stringify(long).length).toBeGreaterThan(400_000);
    expect(JSON.stringify(slim).length).toBeLessThan(200_000);
    expect(rankNames(slim)).toEqual(rankNames(long).slice(0, 400));
    expect(rankNames(slimLedger(long, 20))).toEqual(rankNames(long).slice(0, 20));
    expect(slim.requests[0]).toEqual(long.requests[0]);
    expect(slim.requests.at(-1)).toEqual(long.requests.at(-1));
    expect(slim.requests.length + slim.droppedCounts.requests).toBe(600);
    expect(slim.constraints.length + slim.droppedCounts.constraints).toBe(600);
  });

  it("stays below 400 kB for any session", () => {
    let ledger = EMPTY_LEDGER;
    for (let i = 0; i < cases(50); i += 1) {
      const much = `${i}"\\`.repeat(2_000);
      const names = Array.from({ length: 20 }, (_, n) => `/a_${i}_${n}${"z/".repeat(70)}`).join(" ");
      const rules = Array.from({ length: 10 }, (_, n) => `Never "do" ${i} ${n} ${'"q" '.repeat(70)}.`).join("\n");
      const done = [
        user(`${rules}\n${much}`, { partId: `${'"'.repeat(200)}${i}` }),
        ...tool("TodoWrite", { todos: Array.from({ length: 50 }, () => ({ content: much, id: much })) }),
        ...tool("Bash", { command: `node ${i} ${much} ${names}` }, `!Exit code 1\nError: ${much}`),
        ...tool("Edit", { file_path: `/x/${i}/${'"'.repeat(280)}` }),
        ...tool("Bash", { command: much }).slice(0, 1),
      ];
      ledger = done.reduce(reduceLedger, ledger);
    }
    expect(JSON.stringify(slimLedger(ledger)).length).toBeLessThan(400_000);
    expect(readLedger(reload(ledger))).toEqual(ledger);
  });

  it("is idempotent, and keeps a small ledger unchanged", () => {
    fc.assert(
      fc.property(anySession, (messages) => {
        const ledger = ledgerOf(messages);
        expect(slimLedger(ledger)).toEqual(ledger);
      }),
    );
    const slim = slimLedger(long);
    expect(slimLedger(slim)).toEqual(slim);
  });
});

describe("readLedger", () => {
  it("reads a stored ledger and continues from it", () => {
    fc.assert(
      fc.property(anySession, anySession, (before, after) => {
        const ledger = ledgerOf(before);
        const carried = readLedger(reload(slimLedger(ledger)));
        expect(carried).toEqual(ledger);
        expect(after.reduce(reduceLedger, carried ?? EMPTY_LEDGER)).toEqual(after.reduce(reduceLedger, ledger));
      }),
    );
    expect(readLedger(reload(long))).toEqual(long);
    expect(readLedger(reload(slimLedger(long)))).toEqual(slimLedger(long));
  });

  it("accepts any JSON value, and reads only valid parts", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => readLedger(value) === undefined));
    fc.assert(
      fc.property(
        anySession,
        fc.array(fc.nat({ max: 200 }), { minLength: 1, maxLength: 5 }),
        fc.oneof(fc.jsonValue(), fc.nat(), fc.constantFrom("x", "open", [], -1, 0.5, "x\n### Names", "\u200b", [[]])),
        anySession,
        (before, path, other, after) => {
          const carried = readLedger(replaceAt(reload(ledgerOf(before)), path, other));
          if (carried === undefined) return;
          const ledger = after.reduce(reduceLedger, carried);
          expect(render(ledger).length).toBeLessThanOrEqual(600);
          // JSON has no -0.
          expect(readLedger(reload(ledger))).toEqual(reload(ledger));
        },
      ),
      { numRuns: cases(200) },
    );
  });

  it("migrates a ledger of version 1", () => {
    const { statements: _, ...rest } = ledgerOf(user("Fix parseConfig in /app/a.ts"));
    const requests = [{ text: "Fix it\nDone: not yet", at: 1, state: "answered" }];
    const old = { ...rest, version: 1, requests, decisions: [{ text: "We use a Map.", at: 2 }] };
    const ledger = readLedger(JSON.parse(JSON.stringify(old)));
    expect(ledger?.requests).toEqual([{ text: "Fix it\nDone: not yet", at: 1, state: "answered", said: 0 }]);
    expect(ledger?.statements).toEqual([{ text: "We use a Map.", at: 2, order: 0 }]);
    expect(ledger && render(ledger)).toContain("→ We use a Map.");
  });

  it.each<[string, (ledger: Ledger) => object]>([
    ["another version", (ledger) => ({ ...ledger, version: 3 })],
    ["a field too many", (ledger) => ({ ...ledger, __proto__x: 1 })],
    [
      "a heading in a request",
      (ledger) => ({ ...ledger, requests: [{ text: "a\n### b", at: 1, state: "open", said: 0 }] }),
    ],
    ["a break in a constraint", (ledger) => ({ ...ledger, constraints: [{ text: "a\nb", at: 1 }] })],
    ["a handle of two lines", (ledger) => ({ ...ledger, constraints: [{ text: "a", at: 1, part: "x\ny" }] })],
    ["hidden text in a statement", (ledger) => ({ ...ledger, statements: [{ text: "a\u200bb", at: 1, order: 0 }] })],
    [
      "too many requests",
      (ledger) => ({ ...ledger, requests: Array(401).fill({ text: "a", at: 1, state: "open", said: 0 }) }),
    ],
    [
      "too much text",
      (ledger) => ({
        ...ledger,
        requests: Array(400).fill({ text: "a".repeat(4_000), at: 1, state: "open", said: 0 }),
      }),
    ],
    ["a name from the future", (ledger) => ({ ...ledger, clock: 0 })],
    ["a name in a wrong bucket", (ledger) => ({ ...ledger, names: [...ledger.names.slice(1), ledger.names[0]] })],
    ["a number that is none", (ledger) => ({ ...ledger, messages: -1 })],
  ])("refuses %s", (_, spoil) => {
    const ledger = ledgerOf(user("Fix parseConfig in /app/a.ts"));
    expect(readLedger(reload(ledger))).toEqual(ledger);
    expect(readLedger(JSON.parse(JSON.stringify(spoil(ledger))))).toBeUndefined();
  });
});
