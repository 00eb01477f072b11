import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ProviderServer, startProviderServer } from "../../../server/test/provider/provider-server.ts";
import { KEEP_IN_SUMMARY } from "../../src/hook/agent-hooks.ts";
import type { Client, Invocation, Place } from "./client.ts";
import { commandOf, runOwn, writeFiles } from "./place.ts";
import { runToEnd } from "./processes.ts";
import { createScratch } from "./scratch.ts";

const MAX_RUN_MS = 180_000;
export const FACT = "The invoices database is PostgreSQL 16.";
const SAID = "We deploy the shop on Fridays.";

/** Installs the hooks, runs the client once and removes the hooks. Returns the failures. */
export async function checkHooks(client: Client, installed: string): Promise<string | undefined> {
  const { hooks, invoke } = client;
  if (hooks === undefined || invoke === undefined) return undefined;
  const scratch = createScratch(1);
  const upstream = await startProviderServer();
  upstream.provider.limit = 200_000;
  upstream.provider.rolesMustAlternate = false;
  const prompt = `Which database holds the invoices? ${SAID}`;
  const place: Place = { ...scratch, installed, url: new URL(upstream.url).origin, prompt };
  const file = join(scratch.repository, hooks.file);
  const content = () => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
  try {
    if (hooks.before !== undefined) writeFiles(scratch.repository, { [hooks.file]: hooks.before });
    await runOwn(place, ["remember", FACT, "--project", scratch.repository]);
    const init = await runOwn(place, ["init", ...hooks.args, "--yes"]);
    if (init.code !== 0) return `init: ${init.stderr}`;
    if (content() === hooks.before) return "init changed nothing";
    const ended = await runToEnd(commandOf(invoke(place), place), MAX_RUN_MS);
    const isInjected = upstream.log.some(({ body }) => body.includes(FACT));
    const isRemembered = await isRecalled(place);
    ended.stopRest();
    const uncompacted =
      hooks.compact && (await checkCompact({ ...invoke(place), args: hooks.compact }, place, upstream));
    const uninstall = await runOwn(place, ["uninstall", ...hooks.args, "--yes"]);
    const reasons = [
      ended.code !== 0 && `exit code ${ended.code}: ${ended.stderr.slice(-200)}`,
      !isInjected && "session start injected nothing",
      !isRemembered && "session end remembered nothing",
      uncompacted,
      uninstall.code !== 0 && `uninstall: ${uninstall.stderr}`,
      content() !== hooks.before && "uninstall left the file changed",
    ];
    return reasons.filter((reason) => typeof reason === "string").join("; ") || undefined;
  } finally {
    await upstream.close();
    scratch.remove();
  }
}

/** Compacts the session that has just ended: its summary must be asked for with the record of the session. */
async function checkCompact(
  invocation: Invocation,
  place: Place,
  { log }: ProviderServer,
): Promise<string | undefined> {
  const { length } = log;
  const ended = await runToEnd(commandOf(invocation, place), MAX_RUN_MS);
  ended.stopRest();
  if (ended.code !== 0) return `compact: exit code ${ended.code}: ${ended.stderr.slice(-200)}`;
  return log.slice(length).some(({ body }) => body.includes(KEEP_IN_SUMMARY))
    ? undefined
    : "the summary was asked for without the record of the session";
}

/** Clients do not wait for the hook at the end of a session. */
async function isRecalled(place: Place): Promise<boolean> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { stdout } = await runOwn(place, ["recall", "When do we deploy the shop?", "--project", place.repository]);
    if (stdout.includes("Fridays")) return true;
  }
  return false;
}
