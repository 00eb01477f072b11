import type { Memory, MemoryKind } from "throughline";
import { buildLevels } from "throughline/memory";
import { generator } from "../memory/recall/generated-turns.ts";

const NOUNS =
  "session token queue invoice price cart order parser cache index worker route schema migration report upload image webhook retry ledger".split(
    " ",
  );
const VERBS = "keeps loads writes checks sends drops merges splits counts reads signs queues".split(" ");
const MODULES = 60;
const FILES = 40;
const MINUTE = 60_000;

/** Generated memories of a long-running project: files of many modules, decisions, errors, rules, episodes. */
export interface MadeProject {
  readonly memories: readonly Memory[];
  readonly files: readonly string[];
}

/** A random file of the generated project. */
function fileAt(draw: () => number): string {
  const place = Math.floor(draw() ** 2 * MODULES);
  return `src/module${place}/part${Math.floor(draw() * FILES)}.ts`;
}

/** Generates this many memories, the newest at `now`; the same in every run. */
export function makeProject(size: number, now: number): MadeProject {
  const draw = generator(11);
  const pick = (words: readonly string[]): string => words[Math.floor(draw() * words.length)] ?? "";
  const memories = Array.from({ length: size }, (_, at): Memory => {
    const file = fileAt(draw);
    const [kind, text] = tell(draw, pick, file, at);
    const time = now - (size - at) * MINUTE;
    return {
      id: `mem_${String(at).padStart(9, "0")}`,
      kind,
      levels: buildLevels({ kind, text, ...(kind !== "fact" && { title: `${pick(NOUNS)} ${pick(NOUNS)} ${at}` }) }),
      aliases: [],
      confidence: 0.75,
      mentions: 1,
      pinned: false,
      byHand: false,
      owner: "ada",
      projectId: "shop",
      scope: "project-shared",
      createdAt: time,
      lastSeenAt: time,
      validFrom: time,
      usage: { retrieved: 0, cited: 0, ignored: 0 },
      source: {},
      artifacts: draw() < 0.5 ? [{ type: "file", ref: file }] : [],
      links: [],
    };
  });
  return { memories, files: Array.from({ length: 200 }, () => fileAt(draw)) };
}

/** A fixed mix: a tenth decisions, an eighth errors, a fifth episodes, and so on; each names its subject. */
function tell(
  draw: () => number,
  pick: (words: readonly string[]) => string,
  file: string,
  at: number,
): readonly [MemoryKind, string] {
  const [noun, other, verb] = [pick(NOUNS), pick(NOUNS), pick(VERBS)];
  const kind = draw();
  if (kind < 0.1) return ["fact", `ADR-${at}: the ${noun} ${verb} the ${other} in ${file} because of load ${at}.`];
  if (kind < 0.22)
    return [
      "fact",
      `TypeError: ${noun} of ${other} ${at} is undefined in ${file}; fixed by loading the ${noun} first.`,
    ];
  if (kind < 0.3) return ["fact", `Every ${noun} ${at} must be checked before the ${other} ${verb} it.`];
  if (kind < 0.35) return ["workflow", `First ${verb} the ${noun}, then build ${other} ${at}, then verify it.`];
  if (kind < 0.4) return ["pattern", `A ${noun} ${verb} its ${other} ${at}: route → check → result.`];
  if (kind < 0.6)
    return [
      "episode",
      `Rewrote the ${noun} of ${file}. Replaced ${other} ${at} with ${pick(NOUNS)} due to load. Added tests.`,
    ];
  return ["fact", `The ${noun} ${at} ${verb} the ${other} when the ${pick(NOUNS)} is ${pick(VERBS)}.`];
}
