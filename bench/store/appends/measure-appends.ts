import { median } from "../../prepare/prepare-times.ts";
import type { MakeMessages } from "../make-messages.ts";
import type { Round, Writer } from "./writer.ts";

export interface AppendOptions {
  readonly make: MakeMessages;
  /** Messages per round. */
  readonly messages: number;
  readonly rounds: number;
  readonly turnSize: number;
}

export interface AppendSpeed {
  readonly name: string;
  readonly turnSize: number;
  readonly turnsPerSecond: number;
  /** Compared per round, because disturbances affect neighboring measurements alike. */
  readonly ofFirst: number;
}

/** Median speeds over the rounds, with the contestants in changing order; the first round is not counted. */
export async function measureAppends(writers: readonly Writer[], options: AppendOptions): Promise<AppendSpeed[]> {
  const times = new Map<string, number[]>(writers.map(({ name }) => [name, []]));
  for (let number = 0; number <= options.rounds; number += 1) {
    const round = makeRound(number, options);
    const start = number % writers.length;
    for (const writer of [...writers.slice(start), ...writers.slice(0, start)]) {
      const milliseconds = await timeRound(writer, round);
      if (number > 0) times.get(writer.name)?.push(milliseconds);
    }
  }
  const first = times.get(writers[0]?.name ?? "") ?? [];
  const turns = makeRound(0, options).turns.length;
  return [...times].map(([name, own]) => ({
    name,
    turnSize: options.turnSize,
    turnsPerSecond: turns / (median(own) / 1_000),
    ofFirst: median(own.map((time, i) => (first[i] ?? 0) / time)),
  }));
}

/** The session of the last round, which every contestant has. */
export function lastSession({ rounds, turnSize }: AppendOptions): string {
  return sessionOf(rounds, turnSize);
}

async function timeRound(writer: Writer, round: Round): Promise<number> {
  const write = await writer.ready(round);
  const start = performance.now();
  await write();
  return performance.now() - start;
}

function makeRound(number: number, { make, messages, turnSize }: AppendOptions): Round {
  const sessionId = sessionOf(number, turnSize);
  const count = Math.max(1, Math.floor(messages / turnSize));
  const turns = Array.from({ length: count }, (_, turn) => make(sessionId, turn * turnSize, turnSize));
  return { sessionId, turnSize, turns };
}

function sessionOf(round: number, turnSize: number): string {
  return `turns-of-${turnSize}-round-${round}`;
}
