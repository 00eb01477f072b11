import { inProcessStore } from "throughline";
import { absentPeers, type BenchSetup, ENCRYPTION_KEY, progress } from "../bench-setup.ts";
import { MASTRA, mastraTarget } from "../peers/mastra.ts";
import { checkLoads, printFootprints, printLoads, type ReadSession } from "../print-results.ts";
import { buildSession, type LongSession } from "./build-session.ts";
import { postgresTarget, sqliteTarget } from "./databases.ts";
import type { Footprint, LoadTarget } from "./load-target.ts";
import { measureLoads } from "./measure-loads.ts";

const LENGTHS = [1_000, 10_000, 100_000];
const QUICK_LENGTHS = LENGTHS.slice(0, 2);
const ROUNDS = 15;
const QUICK_ROUNDS = 5;

/** Measures windows of long sessions and their storage; returns true if the length does not matter. */
export async function runLoads(setup: BenchSetup): Promise<boolean> {
  const { folder } = setup;
  const ours = [
    sqliteTarget(folder, "SQLite"),
    sqliteTarget(folder, "SQLite, encrypted", { encryptionKey: ENCRYPTION_KEY }),
  ];
  if (setup.server !== undefined) ours.push(postgresTarget(setup.server));
  const targets: LoadTarget[] = [...ours];
  if (setup.mastra !== undefined) targets.push(mastraTarget(setup.mastra, setup.folder));
  const sessions: LongSession[] = [];
  const footprints = new Map<string, Footprint>();
  for (const length of setup.isQuick ? QUICK_LENGTHS : LENGTHS) {
    progress(`Making a session of ${length.toLocaleString("en-US")} messages`);
    const source = inProcessStore();
    const session = await buildSession(setup.make, length, source);
    sessions.push(session);
    // The last one, of the longest session, is kept.
    for (const target of targets) footprints.set(target.name, await target.fill(session, source));
  }
  const rounds = setup.isQuick ? QUICK_ROUNDS : ROUNDS;
  progress("Loading windows");
  const times = await measureLoads(targets, sessions, rounds);
  const loads: ReadSession[] = [];
  for (const time of times) {
    const reads = await ours.find(({ name }) => name === time.name)?.countReads(time.session);
    loads.push(reads === undefined ? time : { ...time, reads });
  }
  console.log(`\nWindow of a session that is not cached: load and prepare, medians of ${rounds}`);
  console.log("PostgreSQL has analyzed its tables, as it does by itself within minutes.\n");
  printLoads(loads, absentPeers(setup));
  if (setup.mastra !== undefined) console.log(`${MASTRA} reads as many of the newest messages, and prepares nothing.`);
  const areFlat = ours.map(({ name }) => checkLoads(loads, name));
  printSizes(sessions, footprints, setup);
  return areFlat.every(Boolean);
}

function printSizes(
  sessions: readonly LongSession[],
  footprints: ReadonlyMap<string, Footprint>,
  setup: BenchSetup,
): void {
  const longest = sessions.at(-1);
  if (longest === undefined) return;
  const tokens = (longest.tokens / 1e6).toFixed(1);
  console.log(`\nMB on disk for a million tokens, of a session of ${tokens} million\n`);
  printFootprints(longest, footprints, absentPeers(setup));
}
