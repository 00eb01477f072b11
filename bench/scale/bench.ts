import process from "node:process";
import { parseArgs } from "node:util";
import { type PostgresServer, startPostgres } from "../../packages/throughline/test/postgres-server.ts";
import { type Cell, printTable } from "../print-table.ts";
import { printTargets } from "../target.ts";
import { type FilledUsers, fillUsers } from "./fill-users.ts";
import { type MeasuredRecalls, type MeasuredServer, measureServer } from "./measure-server.ts";
import { type Costs, type Routing, type SimulatedServers, simulate } from "./simulate.ts";

const USAGE = `Usage: npm run bench -- scale [--users 2000] [--entries 1000] [--messages 100] [--warm 100] [--seconds 20]
  [--simulated 1000000] [--recalls 2000000]
`;
const SERVERS = [1, 4, 16];
const ROUTINGS: readonly Routing[] = ["by user", "random"];
/** The default of `maxIndexBytes`. */
const MAX_INDEX_BYTES = 1024 ** 3;
/** Minimum rate of random users relative to a few warm ones, and maximum memory of the server. */
const MIN_RATIO = 0.8;
const MAX_RSS = 1.5e9;
/** Tables with fewer bytes per entry are only part of the sum. */
const MIN_SHOWN = 10;
/** Hit rate below which most of the work of a server is reading indexes. */
const MIN_HIT_RATE = 0.5;

const DEFAULTS = {
  users: 2_000,
  entries: 1_000,
  messages: 100,
  warm: 100,
  seconds: 20,
  simulated: 1_000_000,
  recalls: 2_000_000,
};

/**
 * Measures recalls of many users on one server on PostgreSQL, and simulates 1, 4 and 16 servers for a million users
 * with the measured costs.
 */
export async function run(args: readonly string[]): Promise<number> {
  const text = { type: "string" } as const;
  const options = {
    users: text,
    entries: text,
    messages: text,
    warm: text,
    seconds: text,
    simulated: text,
    recalls: text,
  };
  const { values } = parseArgs({ args: [...args], options });
  const numbers = Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, value]) => [name, Number(values[name as keyof typeof DEFAULTS] ?? value)]),
  ) as typeof DEFAULTS;
  const isWrong = Object.values(numbers).some((value) => !Number.isInteger(value) || value < 1);
  if (isWrong || numbers.warm >= numbers.users) {
    process.stderr.write(USAGE);
    return 2;
  }
  let server: PostgresServer | undefined;
  try {
    server = await startPostgres();
    return await measure(await server.createDatabase(), numbers);
  } finally {
    await server?.stop();
  }
}

async function measure(url: string, { users, entries, messages, warm, seconds, simulated, recalls }: typeof DEFAULTS) {
  progress(`${count(users)} users with ${count(entries)} entries each`);
  const filled = await fillUsers(url, { users, entries, messages });
  printSizes(filled, { users, entries, messages });
  progress("recalls over HTTP");
  const measured = await measureServer({ url, secrets: filled.secrets, warm, seconds });
  printServer(measured, warm, users);
  const holds = targetsOf(measured);
  const costs = costsOf(measured);
  progress(`${count(simulated)} simulated users`);
  const all = SERVERS.flatMap((servers) =>
    ROUTINGS.map((routing) =>
      simulate(servers, routing, { users: simulated, recalls, maxIndexBytes: MAX_INDEX_BYTES, costs }),
    ),
  );
  printSimulation(all, simulated, costs);
  return holds ? 0 : 1;
}

/** Recalls of the first visit have no index in memory; those of the warm users always. */
function costsOf({ warm, first }: MeasuredServer): Costs {
  return {
    warmCpuMs: warm.cpuMs,
    coldCpuMs: first.cpuMs,
    warmPages: warm.pages,
    coldPages: first.pages,
    indexBytes: first.indexBytes / first.indexes,
  };
}

/** Tables whose rows belong to messages. The rows of the others belong to memories and utterances. */
const MESSAGE_TABLES = ["messages", "message_parts"];

function printSizes(
  { bytes }: FilledUsers,
  { users, entries, messages }: Pick<typeof DEFAULTS, "users" | "entries" | "messages">,
): void {
  const row = (name: string, size: number): Cell[] => {
    const perUser = Math.round(size / users);
    return MESSAGE_TABLES.includes(name)
      ? [name, perUser, "", Math.round(perUser / messages)]
      : [name, perUser, Math.round(perUser / entries), ""];
  };
  const sum = [...bytes.values()].reduce((all, one) => all + one, 0);
  const shown = [...bytes].filter(([, size]) => size / users / entries >= MIN_SHOWN);
  console.log("");
  printTable(
    ["table with its indexes", "bytes per user", "per entry", "per message"],
    [...shown.map(([name, size]) => row(name, size)), ["all tables", Math.round(sum / users), "", ""]],
  );
}

function printServer({ warm, first, random }: MeasuredServer, few: number, users: number): void {
  const row = (name: string, one: MeasuredRecalls): Cell[] => [
    name,
    Math.round(one.perSecond),
    `${one.p50} / ${one.p99}`,
    one.cpuMs.toFixed(2),
    Math.round(one.pages),
    percent(one.hitRate),
    one.indexes,
    (one.indexBytes / 1e6).toFixed(0),
    (one.rssBytes / 1e6).toFixed(0),
    one.failed,
  ];
  console.log("");
  printTable(
    ["users", "recalls/s", "p50 / p99 ms", "CPU ms", "pages", "hit rate", "indexes", "index MB", "RSS MB", "failed"],
    [
      row(`${count(few)}, warm`, warm),
      row(`${count(users - few)}, first recall of each`, first),
      row(`${count(users)}, at random`, random),
    ],
  );
}

function targetsOf({ warm, random }: MeasuredServer): boolean {
  // Per second of processor time of the server, because others use the machine too.
  const ratio = warm.cpuMs / random.cpuMs;
  const isFailed = warm.failed + random.failed > 0;
  return printTargets([
    {
      name: "recalls per core of random users on PostgreSQL against warm ones",
      measured: isFailed ? `${warm.failed + random.failed} failed` : `${ratio.toFixed(2)}×`,
      limit: `at least ${MIN_RATIO}×`,
      holds: !isFailed && ratio >= MIN_RATIO,
    },
    {
      name: "RSS of the server with random users on PostgreSQL",
      measured: `${(random.rssBytes / 1e9).toFixed(2)} GB`,
      limit: `at most ${MAX_RSS / 1e9} GB`,
      holds: random.rssBytes <= MAX_RSS,
    },
  ]);
}

function printSimulation(all: readonly SimulatedServers[], users: number, costs: Costs): void {
  console.log(
    `\n${count(users)} users after Zipf's law, ${count(MAX_INDEX_BYTES / 1024 ** 2)} MiB of indexes per server (${count(
      Math.floor(MAX_INDEX_BYTES / costs.indexBytes),
    )} users), one core per server:`,
  );
  printTable(
    [
      "servers",
      "routing",
      "hit rate",
      "cache GB",
      "busiest/mean",
      "CPU ms",
      "recalls/s",
      "index reads/s",
      "database MB/s",
    ],
    all.map((one): Cell[] => [
      one.servers,
      one.routing,
      percent(one.hitRate),
      (one.cacheBytes / 1e9).toFixed(1),
      one.skew.toFixed(2),
      one.cpuMs.toFixed(2),
      Math.round(one.maxPerSecond),
      Math.round(one.readsPerSecond),
      Math.round(one.databaseBytesPerSecond / 1e6),
    ]),
  );
  console.log("");
  for (const line of limits(all)) console.log(line);
}

/** The first thing that does not grow with the number of servers. */
function limits(all: readonly SimulatedServers[]): readonly string[] {
  const of = (routing: Routing) => all.filter((one) => one.routing === routing);
  const [byUser, random] = [of("by user"), of("random")];
  const [largest, unrouted] = [byUser.at(-1), random.at(-1)];
  if (largest === undefined || unrouted === undefined) return [];
  const cold = byUser.find(({ hitRate }) => hitRate < MIN_HIT_RATE);
  return [
    cold === undefined
      ? `By user: at least ${percent(Math.min(...byUser.map(({ hitRate }) => hitRate)))} of the recalls find their index in memory.`
      : `By user: with ${cold.servers} servers less than half of the recalls find their index in memory; give them more memory.`,
    `By user: it breaks at the busiest server, which has ${largest.skew.toFixed(1)} times the mean load with ${largest.servers} servers, because one user stays on one server. ${largest.servers} servers do ${(largest.maxPerSecond / (byUser[0]?.maxPerSecond ?? 1)).toFixed(1)} times the recalls of one.`,
    `At random: the hit rate stays at ${percent(unrouted.hitRate)} with ${unrouted.servers} servers, because each of them has the same users. It breaks at the database: ${Math.round(unrouted.readsPerSecond)} index reads/s, ${((unrouted.readsPerSecond / Math.max(1, largest.readsPerSecond)) * (largest.maxPerSecond / unrouted.maxPerSecond)).toFixed(1)} times as many per recall as by user.`,
  ];
}

function progress(what: string): void {
  process.stderr.write(`${what} …\n`);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
