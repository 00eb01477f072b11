import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packageFolder } from "../../../throughline/test/built.ts";
import { checkHooks } from "./check-hooks.ts";
import { checkMcp } from "./check-mcp.ts";
import { checkRemember } from "./check-remember.ts";
import type { Client } from "./client.ts";
import { CLIENTS } from "./clients.ts";
import { installClients } from "./install.ts";
import { type Played, playTask } from "./play-task.ts";
import { stopAll } from "./processes.ts";
import { isFailure, type Outcome, printTable, type Row } from "./table.ts";

const CHECKS = ["proxy", "hooks", "mcp", "remember"] as const;
const SHORT_MODULES = 22;
const LONG_MODULES = 62;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Plays the task of 60 steps only. */
    short: { type: "boolean", default: false },
    /** Leaves out all other checks. */
    only: { type: "string" },
    /** Plays the tasks without the proxy, as a baseline. */
    direct: { type: "boolean", default: false },
    /** A folder for the requests and answers of every task. */
    log: { type: "string" },
  },
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    stopAll();
    process.exit(130);
  });
}

const cache = join(packageFolder, "..", "..", ".clients");
mkdirSync(cache, { recursive: true });
const say = (line: string) => console.error(line);

/** Matches the start of the name or of a word in it. */
const isNamed = (name: string, part: string) =>
  name.startsWith(part) || name.split(/[\s()-]+/).some((word) => word.startsWith(part));

function wantedClients(): readonly Client[] {
  const wanted = CLIENTS.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => isNamed(name, part)),
  );
  if (wanted.length > 0) return wanted;
  say(`No client is named ${positionals.join(" or ")}. There are: ${CLIENTS.map(({ name }) => name).join(", ")}.`);
  process.exit(1);
}

const isWanted = (check: (typeof CHECKS)[number]) => values.only === undefined || values.only === check;

async function attempt<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const outcome = (failure: string | undefined): Outcome => (failure === undefined ? "ok" : { failure });

async function play(client: Client, installed: string, modules: number): Promise<Played | string> {
  const played = await attempt(() => playTask(client, installed, { modules, isDirect: values.direct }));
  // The client's output matters only if it failed.
  if (typeof played !== "string" && played.failure !== undefined) say(played.output);
  if (typeof played !== "string" && values.log !== undefined) {
    mkdirSync(values.log, { recursive: true });
    const file = `${client.name.replaceAll(/\W+/g, "-")}-${played.steps}.json`;
    writeFileSync(join(values.log, file), JSON.stringify(played, null, 1));
  }
  return played;
}

async function check(client: Client): Promise<Row> {
  const installed = join(cache, client.folder);
  const { name, hooks, mcp, remember, invoke, transcripts } = client;
  const sizes = values.short ? [SHORT_MODULES] : [SHORT_MODULES, LONG_MODULES];
  const played: (Played | string)[] = [];
  if (invoke && isWanted("proxy")) for (const size of sizes) played.push(await play(client, installed, size));
  const done = played.filter((one) => typeof one !== "string");
  const unread = done.map((one) => one.unread).find((reason) => reason !== undefined);
  return {
    name,
    played,
    hooks: hooks && isWanted("hooks") ? outcome(await attempt(() => checkHooks(client, installed))) : "–",
    mcp: mcp && isWanted("mcp") ? outcome(await attempt(() => checkMcp(client, installed))) : "–",
    remember: remember && isWanted("remember") ? outcome(await attempt(() => checkRemember(client, installed))) : "–",
    import: transcripts && done.length > 0 ? outcome(unread) : "–",
  };
}

const withoutLogs = ({ played, ...row }: Row) => ({
  ...row,
  played: played.map((one) => (typeof one === "string" ? one : { ...one, log: undefined, answers: undefined })),
});

const clients = wantedClients();
const failures = await installClients(clients, cache, say);
const rows: Row[] = [];
for (const client of clients) {
  const uninstalled = failures.get(client.folder);
  say(`${client.name} …`);
  rows.push(
    uninstalled === undefined
      ? await check(client)
      : { name: client.name, played: [uninstalled], hooks: "–", mcp: "–", remember: "–", import: "–" },
  );
  // Writes the results so far, even if the rest is interrupted.
  writeFileSync(join(cache, "results.json"), JSON.stringify(rows.map(withoutLogs), null, 2));
}
console.log(printTable(rows));
if (rows.some(isFailure)) process.exitCode = 1;
