import { type Cell, printTable } from "../print-table.ts";
import type { AppendSpeed } from "./appends/measure-appends.ts";
import type { LongSession } from "./loads/build-session.ts";
import type { Footprint } from "./loads/load-target.ts";
import type { LoadTime } from "./loads/measure-loads.ts";

const MIN_OF_RAW = 0.5;
/** Maximum slowdown of the longest session against the shortest, with tolerance for noise. */
const MAX_GROWTH = 1.5;

/** A contestant that did not run, and the reason. */
export interface Absence {
  readonly name: string;
  readonly reason: string;
}

export function printAppends(speeds: readonly AppendSpeed[], absent: readonly Absence[]): void {
  const rows = speeds.map(({ name, turnSize, turnsPerSecond, ofFirst }): Cell[] => [
    name,
    turnSize,
    Math.round(turnsPerSecond),
    Math.round(turnsPerSecond * turnSize),
    ofFirst.toFixed(2),
  ]);
  printTable(["", "messages a turn", "turns/s", "messages/s", "of raw"], [...rows, ...absent.map(blank)]);
}

/** Returns true if the store reaches half the speed of plain inserts. */
export function checkAppends(speeds: readonly AppendSpeed[], store: string): boolean {
  return speeds
    .filter(({ name }) => name === store)
    .map(({ turnSize, ofFirst }) => {
      const what = `${store}, turns of ${turnSize}: at least ${MIN_OF_RAW} of raw inserts`;
      return verdict(ofFirst >= MIN_OF_RAW, `${what}: ${ofFirst.toFixed(2)}`);
    })
    .every(Boolean);
}

export interface ReadSession extends LoadTime {
  readonly reads?: { readonly messages: number; readonly bytes: number };
}

export function printLoads(loads: readonly ReadSession[], absent: readonly Absence[]): void {
  const rows = loads.map((one): Cell[] => [
    one.name,
    one.session.length,
    one.messages,
    one.tokens ?? "",
    one.open.toFixed(1),
    one.load.toFixed(1),
    `×${growth(loads, one).toFixed(2)}`,
    one.reads?.messages ?? "",
    one.reads === undefined ? "" : Math.round(one.reads.bytes / 1_000),
  ]);
  const headers = ["", "session", "window", "tokens", "open ms", "load ms", "growth", "messages read", "kB read"];
  printTable(headers, [...rows, ...absent.map(blank)]);
}

/** Returns true if a window of the longest session loads as fast as one of the shortest. */
export function checkLoads(loads: readonly ReadSession[], name: string): boolean {
  const last = loads.findLast((one) => one.name === name);
  if (last === undefined) return true;
  const grown = growth(loads, last);
  const what = `${name}, a session of ${last.session.length.toLocaleString("en-US")} messages opens its window as fast`;
  return verdict(grown <= MAX_GROWTH, `${what}: ×${grown.toFixed(2)} (at most ${MAX_GROWTH})`);
}

function growth(loads: readonly LoadTime[], one: LoadTime): number {
  return one.load / (loads.find(({ name }) => name === one.name)?.load ?? one.load);
}

export function printFootprints(
  { tokens, jsonBytes }: LongSession,
  footprints: ReadonlyMap<string, Footprint>,
  absent: readonly Absence[],
): void {
  const megabytes = (bytes: number) => ((bytes / tokens) * 1e6 * 1e-6).toFixed(2);
  const rows = [...footprints].map(([name, { messages, all }]): Cell[] => [
    name,
    megabytes(messages),
    `×${(messages / jsonBytes).toFixed(2)}`,
    all === messages ? "" : megabytes(all),
  ]);
  printTable(
    ["", "messages alone", "of JSONL", "with compactions and state"],
    [["JSONL", megabytes(jsonBytes), "×1.00", ""], ...rows, ...absent.map(blank)],
  );
}

function blank({ name, reason }: Absence): Cell[] {
  return [name, reason];
}

function verdict(holds: boolean, what: string): boolean {
  console.log(`${holds ? "met" : "FAILS"}  ${what}`);
  return holds;
}
