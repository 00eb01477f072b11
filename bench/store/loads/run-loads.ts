import { inProcessStore } from "throughline";
import { type Arena, absentPeers, ENCRYPTION_KEY, progress } from "../bench-setup.ts";
import { MASTRA, mastraShelf } from "../peers/mastra.ts";
import { checkLoads, printFootprints, printLoads, type ReadSession } from "../print-results.ts";
import { buildSession, type LongSession } from "./build-session.ts";
import { postgresShelf, sqliteShelf } from "./databases.ts";
import type { Footprint, Shelf } from "./load-target.ts";
import { measureLoads } from "./measure-loads.ts";

const LENGTHS = [1_000, 10_000, 100_000];
const QUICK_LENGTHS = LENGTHS.slice(0, 2);
const ROUNDS = 15;
const QUICK_ROUNDS = 5;

/** Windows of long sessions and what the sessions take; says whether the length does not show. */
export async function runLoads(arena: Arena): Promise<boolean> {
  const { folder } = arena;
  const ours = [
    sqliteShelf(folder, "SQLite"),
    sqliteShelf(folder, "SQLite, encrypted", { encryptionKey: ENCRYPTION_KEY }),
  ];
  if (arena.server !== undefined) ours.push(postgresShelf(arena.server));
  const shelves: Shelf[] = [...ours];
  if (arena.mastra !== undefined) shelves.push(mastraShelf(arena.mastra, arena.folder));
  const sessions: LongSession[] = [];
  const footprints = new Map<string, Footprint>();
  for (const length of arena.isQuick ? QUICK_LENGTHS : LENGTHS) {
    progress(`Making a session of ${length.toLocaleString("en-US")} messages`);
    const source = inProcessStore();
    const session = await buildSession(arena.make, length, source);
    sessions.push(session);
    // Those of the longest session stay.
    for (const shelf of shelves) footprints.set(shelf.name, await shelf.fill(session, source));
  }
  const rounds = arena.isQuick ? QUICK_ROUNDS : ROUNDS;
  progress("Loading windows");
  const times = await measureLoads(shelves, sessions, rounds);
  const loads: ReadSession[] = [];
  for (const time of times) {
    const reads = await ours.find(({ name }) => name === time.name)?.countReads(time.session);
    loads.push(reads === undefined ? time : { ...time, reads });
  }
  console.log(`\nA window of a session that nobody has open: load and prepare, medians of ${rounds}`);
  console.log("PostgreSQL has analyzed its tables, as it does by itself within minutes.\n");
  printLoads(loads, absentPeers(arena));
  if (arena.mastra !== undefined) console.log(`${MASTRA} reads as many of the newest messages, and prepares nothing.`);
  const areFlat = ours.map(({ name }) => checkLoads(loads, name));
  printSizes(sessions, footprints, arena);
  return areFlat.every(Boolean);
}

function printSizes(sessions: readonly LongSession[], footprints: ReadonlyMap<string, Footprint>, arena: Arena): void {
  const longest = sessions.at(-1);
  if (longest === undefined) return;
  const tokens = (longest.tokens / 1e6).toFixed(1);
  console.log(`\nMB on disk for a million tokens, of a session of ${tokens} million\n`);
  printFootprints(longest, footprints, absentPeers(arena));
}
