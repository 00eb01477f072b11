import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Pair } from "./read-pairs.ts";

/** Two texts that are not labeled as contradictory. */
export interface ControlPair {
  readonly a: string;
  readonly b: string;
}

/** Pairs for which every finding counts as a false positive, by name. */
export async function readControls(
  folder: string,
  pairs: readonly Pair[],
): Promise<readonly (readonly [string, readonly ControlPair[]])[]> {
  return [
    ["facts of one person (MSC)", await readPersonas(folder)],
    ["DECODE, first text of one and second of another", crossed(pairs.filter(({ source }) => source === "decode"))],
    [
      "BEAM, other messages of the chat (some do contradict)",
      sameChat(pairs.filter(({ source }) => source === "beam")),
    ],
  ];
}

interface PersonaLine {
  readonly dialog: readonly { readonly id: string; readonly agg_persona_list?: readonly string[] }[];
}

/** All pairs of facts of one speaker in one dialogue. */
async function readPersonas(folder: string): Promise<readonly ControlPair[]> {
  const text = await readFile(path.join(folder, "msc_personasummary", "session_2_valid.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const { dialog } = JSON.parse(line) as PersonaLine;
      const facts = new Map(dialog.map(({ id, agg_persona_list = [] }) => [id, agg_persona_list]));
      return [...facts.values()].flatMap(allPairs);
    });
}

function allPairs(facts: readonly string[]): readonly ControlPair[] {
  return facts.flatMap((a, at) => facts.slice(at + 1).map((b) => ({ a, b })));
}

const STEPS = [37, 101, 211];

function crossed(pairs: readonly Pair[]): readonly ControlPair[] {
  return pairs.flatMap(({ a, group }, at) =>
    STEPS.flatMap((step) => {
      const other = pairs[(at + step) % pairs.length];
      return other === undefined || other.group === group ? [] : [{ a, b: other.b }];
    }),
  );
}

function sameChat(pairs: readonly Pair[]): readonly ControlPair[] {
  return pairs.flatMap((pair) =>
    pairs
      .filter((other) => other.group === pair.group && other.a !== pair.a && other.b !== pair.b)
      .map((other) => ({ a: pair.a, b: other.b })),
  );
}
