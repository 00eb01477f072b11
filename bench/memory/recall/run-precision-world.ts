import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { createThroughline, type Throughline } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { printTargets } from "./print-targets.ts";
import { plainBm25 } from "./rankers.ts";

const USAGE =
  "Usage: npm run bench -- memory precision-world --data FOLDER\nFOLDER contains statements/precision.json.\n";
const LIMIT = 10;
const DAY = 86_400_000;
const TARGETS = { precision: 0.95, recall: 0.95, quiet: 0.95 };
const BEFORE = { precision: 0.617, recall: 0.614, quiet: 0.9 };

interface Belief {
  readonly id: string;
  readonly text: string;
  readonly aliases: readonly string[];
  readonly project: string | null;
  readonly pinned: boolean;
  readonly superseded: boolean;
}

interface Query {
  readonly query: string;
  readonly project: string | null;
  readonly expected: readonly string[];
}

interface World {
  readonly beliefs: readonly Belief[];
  readonly queries: readonly Query[];
}

/** Ids of the beliefs that a query returns. */
type Ask = (query: Query) => Promise<readonly string[]>;

interface Score {
  readonly precision: number;
  readonly recall: number;
  /** Share of queries without an expected belief that return nothing. */
  readonly quiet: number;
  readonly wrong: readonly string[];
}

/**
 * Measures whether queries return exactly the expected beliefs of a small world: names, aliases, typos, two projects.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" }, show: { type: "boolean" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const file = path.join(values.data, "statements", "precision.json");
  const world: World = JSON.parse(await readFile(file, "utf8"));
  const ours = await score(world, await openWorld(world));
  const bm25 = await score(world, askBm25(world));
  if (values.show === true) console.log(`${ours.wrong.join("\n")}\n`);
  return printTargets(
    (["precision", "recall", "quiet"] as const).map((name) => ({
      name,
      ours: ours[name],
      target: TARGETS[name],
      before: BEFORE[name],
      bm25: bm25[name],
    })),
  );
}

async function openWorld({ beliefs }: World): Promise<Ask> {
  const store = sqliteStore(":memory:");
  const opened = new Map<string | null, Throughline>();
  const open = async (project: string | null): Promise<Throughline> => {
    const known = opened.get(project);
    if (known !== undefined) return known;
    const throughline = await createThroughline({
      store,
      userId: "u",
      ...(project === null ? {} : { projectId: project }),
    });
    opened.set(project, throughline);
    return throughline;
  };
  const byId = new Map<string, Belief>();
  for (const belief of beliefs) {
    const { memory } = await open(belief.project);
    const { text, aliases, pinned } = belief;
    const saved = await memory.remember({ text, aliases, pinned, validFrom: Date.now() - DAY });
    if (belief.superseded) await memory.update(saved.memory.id, { validTo: Date.now() - 1_000 });
    byId.set(saved.memory.id, belief);
  }
  return async ({ query, project, expected }) => {
    const { memory } = await open(project);
    const hits = await memory.recall(query, { from: "memories", limit: LIMIT });
    // A pinned belief may come with everything.
    const brought = hits.flatMap(({ id }) => byId.get(id) ?? []);
    return brought.filter(({ id, pinned }) => !pinned || expected.includes(id)).map(({ id }) => id);
  };
}

/** All beliefs that share a word with the query, best first. */
function askBm25({ beliefs }: World): Ask {
  return async ({ query, project }) => {
    const visible = beliefs.filter((one) => !one.superseded && (one.project === null || one.project === project));
    const scores = plainBm25(visible.map(({ text, aliases }) => [text, ...aliases].join(" ")))(query);
    const order = visible.map(({ id }, at) => ({ id, score: scores[at] ?? 0 })).filter((one) => one.score > 0);
    return order
      .sort((a, b) => b.score - a.score)
      .slice(0, LIMIT)
      .map(({ id }) => id);
  };
}

async function score({ queries }: World, ask: Ask): Promise<Score> {
  const sums = { precision: 0, recall: 0, answerable: 0, quiet: 0, unanswerable: 0 };
  const wrong: string[] = [];
  for (const query of queries) {
    const got = await ask(query);
    const right = got.filter((id) => query.expected.includes(id)).length;
    if (right !== got.length || right !== query.expected.length) {
      wrong.push(
        `${query.query}: expected ${query.expected.join(", ") || "nothing"}, got ${got.join(", ") || "nothing"}`,
      );
    }
    if (query.expected.length === 0) {
      sums.unanswerable += 1;
      sums.quiet += got.length === 0 ? 1 : 0;
      continue;
    }
    sums.answerable += 1;
    sums.precision += got.length === 0 ? 0 : right / got.length;
    sums.recall += right / query.expected.length;
  }
  return {
    precision: sums.precision / Math.max(1, sums.answerable),
    recall: sums.recall / Math.max(1, sums.answerable),
    quiet: sums.quiet / Math.max(1, sums.unanswerable),
    wrong,
  };
}
