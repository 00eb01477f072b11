import type { Json, Reply } from "../../../server/test/provider/provider.ts";
import { startProviderServer } from "../../../server/test/provider/provider-server.ts";
import { offeredTools } from "../../../server/test/provider/scripted-task.ts";
import { FACT } from "./check-hooks.ts";
import type { Client, Place } from "./client.ts";
import { commandOf, ownProgram, runOwn, scratchEnv } from "./place.ts";
import { runToEnd } from "./processes.ts";
import { createScratch } from "./scratch.ts";

const MAX_RUN_MS = 180_000;
const QUESTION = "Which database holds the invoices?";

/** Makes the client's model call `recall` of the MCP server. Returns the failures. */
export async function checkMcp(client: Client, installed: string): Promise<string | undefined> {
  if (client.mcp === undefined) return undefined;
  const scratch = createScratch(1);
  const upstream = await startProviderServer();
  const { provider, url } = upstream;
  Object.assign(provider, { limit: 200_000, rolesMustAlternate: false, answer: callRecall() });
  const place: Place = { ...scratch, installed, url: new URL(url).origin, prompt: QUESTION };
  try {
    await runOwn(place, ["remember", FACT, "--project", scratch.repository]);
    const { setup, files, direct } = client.mcp(place, [...ownProgram(scratch.home), "mcp"]);
    if (direct !== undefined) {
      const env = scratchEnv(scratch.home);
      const { stdout, stderr } = await runToEnd({ ...commandOf(direct, place), env }, MAX_RUN_MS);
      return stdout.includes(FACT) ? undefined : `the call said: ${(stdout + stderr).slice(-200)}`;
    }
    if (setup !== undefined) await runOwn(place, ["init", ...setup, "--yes"]);
    const invocation = client.invoke?.(place);
    if (invocation === undefined) return "cannot be started";
    const ended = await runToEnd(
      commandOf({ ...invocation, files: { ...invocation.files, ...files } }, place),
      MAX_RUN_MS,
    );
    ended.stopRest();
    const isOffered = upstream.log.some(({ body }) => body.includes("recall"));
    const isCalled = upstream.log.some(({ body }) => body.includes(FACT));
    if (isCalled && ended.code === 0) return undefined;
    return `${isOffered ? "listed, but not called" : "not listed"}; exit code ${ended.code}: ${ended.stderr.slice(-200)}`;
  } finally {
    await upstream.close();
    scratch.remove();
  }
}

/** Calls `recall` once it is offered, looking for deferred tools first. */
function callRecall(): (body: string) => Reply {
  let calls = 0;
  return (body) => {
    const tools = offeredTools(JSON.parse(body) as Json);
    const recall = tools.find(({ name }) => /throughline.*recall|^recall$/.test(name));
    const search = tools.find(({ name }) => name === "ToolSearch");
    calls += 1;
    if (body.includes(FACT) || calls > 4) return { text: "PostgreSQL 16." };
    if (recall !== undefined)
      return { calls: [{ id: `call_${calls}`, ...addressOf(recall), input: { query: QUESTION } }] };
    if (search === undefined) return { text: "I cannot look it up." };
    const input = { query: "throughline recall", max_results: 5 };
    return { calls: [{ id: `call_${calls}`, ...addressOf(search), input }] };
  };
}

export const addressOf = ({ name, namespace }: { name: string; namespace: string | undefined }) =>
  namespace === undefined ? { name } : { name, namespace };
