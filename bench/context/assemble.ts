import process from "node:process";
import { parseArgs } from "node:util";
import type { Throughline } from "../../packages/throughline/src/throughline-api.ts";
import type { TranscriptSession } from "../../packages/throughline/src/transcript/transcript.ts";
import { printTable } from "../print-table.ts";
import { HEADERS, injectedBy, injectUpTo, laterOf, Measurement, namesIn } from "./measurement.ts";
import { type ReplayPoint, readFolders, splitSession } from "./replay-points.ts";
import { replayFolder } from "./replay-sessions.ts";

const USAGE = "Usage: npm run bench -- context assemble --data FOLDER [--budget 8000] [--show]\n";
const BUDGET = 8_000;
const GOAL = 0.85;
const MAX_RECALLED = 100;

/** Methods of choosing the injected memories. */
interface Ways {
  readonly ours: Measurement;
  readonly recall: Measurement;
  readonly newest: Measurement;
}

/**
 * Measures the share of an assembled context that the rest of a real session then uses: identifiers and files that are
 * typed later. In the middle of each session, memories come from earlier messages in its folder.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: "string" },
      budget: { type: "string" },
      show: { type: "boolean" },
    },
  });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const ways: Ways = { ours: new Measurement(), recall: new Measurement(), newest: new Measurement() };
  const budget = Number(values.budget ?? BUDGET);
  const replay = new Replay(ways, { budget, isShown: values.show ?? false });
  for (const [folder, sessions] of await readFolders(values.data)) {
    process.stderr.write(`${sessions.length} sessions of a folder …\n`);
    await replay.folder(folder, sessions);
  }
  ways.ours.printGroups();
  console.log();
  printTable(HEADERS, [
    ways.ours.row("assembled"),
    ways.ours.rowWithFrame("… with headings and labels"),
    ways.recall.row("recall, until it is full"),
    ways.newest.row("newest memories, until it is full"),
  ]);
  const isReached = ways.ours.share >= GOAL;
  console.log(
    `${ways.ours.points} sessions; goal (${100 * GOAL}% used, index included): ${isReached ? "reached" : "missed"}.`,
  );
  return isReached ? 0 : 1;
}

interface ReplayOptions {
  readonly budget: number;
  readonly isShown: boolean;
}

/** Assembles contexts in the middle of each session, and the alternatives to compare with. */
class Replay {
  readonly #ways: Ways;
  readonly #options: ReplayOptions;

  constructor(ways: Ways, options: ReplayOptions) {
    this.#ways = ways;
    this.#options = options;
  }

  async folder(folder: string, sessions: readonly TranscriptSession[]): Promise<void> {
    const middleOf = (session: TranscriptSession) => [splitSession(session)].filter((point) => point !== undefined);
    for await (const { throughline, point } of replayFolder(folder, sessions, middleOf)) {
      await this.#measure(throughline, point);
    }
  }

  async #measure({ memory, context }: Throughline, point: ReplayPoint): Promise<void> {
    const { request, signals } = point;
    const { budget, isShown } = this.#options;
    const later = laterOf(point);
    const all = await memory.list({ limit: Number.MAX_SAFE_INTEGER });
    const known = namesIn(
      all.map(({ levels, artifacts }) => [levels.full, ...artifacts.map(({ ref }) => ref)].join("\n")).join("\n"),
    );
    const assembled = await context.assemble({
      budget,
      signals,
      ...(request !== "" && { message: request }),
    });
    this.#ways.ours.add(injectedBy(assembled), assembled.tokenCount, later, known);
    if (isShown) this.#show(point, assembled.context);
    const hits = await memory.recall(request, { limit: MAX_RECALLED, cut: "none", from: "memories" });
    const recalled = injectUpTo(
      hits.map(({ text }) => text),
      budget,
      "recalled",
    );
    const newest = injectUpTo(
      all.toReversed().map(({ levels }) => levels.full),
      budget,
      "newest",
    );
    for (const [way, items] of [
      [this.#ways.recall, recalled],
      [this.#ways.newest, newest],
    ] as const) {
      way.add(
        items,
        items.reduce((sum, { tokens }) => sum + tokens, 0),
        later,
        known,
      );
    }
  }

  #show({ session, request }: ReplayPoint, context: string): void {
    console.log(`\n=== ${session.id}\n${request.slice(0, 400)}\n${context}`);
  }
}
