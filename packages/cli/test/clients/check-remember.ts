import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, Reply } from "../../../server/test/provider/provider.ts";
import { type ProviderServer, startProviderServer } from "../../../server/test/provider/provider-server.ts";
import { offeredTools } from "../../../server/test/provider/scripted-task.ts";
import { addressOf } from "./check-mcp.ts";
import type { Client, Place } from "./client.ts";
import { commandOf, ownProgram, runOwn } from "./place.ts";
import { type Ended, runToEnd } from "./processes.ts";
import { createScratch } from "./scratch.ts";

const MAX_RUN_MS = 180_000;
/** The agent saved it in an earlier session. */
const OLD = "Use npm in this repository.";
const NEW = "Use pnpm in this repository, not npm.";
/** A standing rule, which the hook at the end of the session must not save a second time. */
const SAID = "Please always use pnpm here.";
/** Words of the skill, of its description, and of the instructions of the server. */
const SKILL = "Save what later sessions in this project should know.";
const DESCRIPTION = "Saves memories for later sessions with Throughline.";
const INSTRUCTIONS = "Good memories:";

interface Stored {
  readonly id: string;
  readonly levels: { readonly full: string };
  readonly owner: string;
  readonly projectId?: string;
  readonly validTo?: number;
}

/**
 * Sets up everything that `init` writes, types `/remember`, and has the client's model save a memory, read the answer,
 * and save it again in place of the outdated one. Returns what failed.
 */
export async function checkRemember(client: Client, installed: string): Promise<string | undefined> {
  const { remember } = client;
  if (remember === undefined) return undefined;
  const scratch = createScratch(1);
  const upstream = await startProviderServer();
  Object.assign(upstream.provider, { limit: 200_000, rolesMustAlternate: false, answer: callRemember() });
  const place: Place = { ...scratch, installed, url: new URL(upstream.url).origin, prompt: SAID };
  try {
    await runOwn(place, ["remember", OLD, "--project", scratch.repository]);
    const init = await runOwn(place, ["init", remember.agent, "--yes"]);
    if (init.code !== 0) return `init: ${init.stderr}`;
    const ended = await runToEnd(
      commandOf(remember.invoke(place, [...ownProgram(scratch.home), "mcp"]), place),
      MAX_RUN_MS,
    );
    const stored = await readStored(place);
    ended.stopRest();
    const uninstall = await runOwn(place, ["uninstall", remember.agent, "--yes"]);
    const reasons = [
      ...problemsOf(ended, upstream, remember.loads),
      ...problemsIn(stored, place),
      uninstall.code !== 0 && `uninstall: ${uninstall.stderr}`,
      ...leftIn(place).map((file) => `uninstall left ${file}`),
    ];
    return reasons.filter((reason) => typeof reason === "string").join("; ") || undefined;
  } finally {
    await upstream.close();
    scratch.remove();
  }
}

/** Parts of the setup that the client did not load, and its error messages. */
function problemsOf(
  { code, stdout, stderr }: Ended,
  { log }: ProviderServer,
  loads: "skill" | "description",
): readonly (string | false)[] {
  const isSent = (text: string) => log.some(({ body }) => body.includes(text));
  const complaint = /[^\n]*(?:skill|SKILL\.md|mcp)[^\n]*(?:invalid|failed|error)[^\n]*/i.exec(stdout + stderr)?.[0];
  return [
    code !== 0 && `exit code ${code}: ${stderr.slice(-200)}`,
    complaint !== undefined && `complaint: ${complaint}`,
    !isSent(loads === "skill" ? SKILL : DESCRIPTION) && `the ${loads} of /remember was not sent to the model`,
    !isSent(INSTRUCTIONS) && "the instructions of the server were not sent to the model",
  ];
}

/** One current fact, of this project and user, in place of the old one. */
function problemsIn(stored: readonly Stored[], { repository }: Place): readonly (string | false)[] {
  const textOf = ({ levels, validTo }: Stored) => `${levels.full}${validTo === undefined ? "" : " (ended)"}`;
  const found = stored.map(textOf).toSorted().join(" | ");
  return [
    found !== [`${OLD} (ended)`, NEW].join(" | ") && `stored: ${found}`,
    !stored.every(({ owner, projectId }) => owner === "local" && projectId === repository) &&
      `wrong owner or project: ${JSON.stringify(stored)}`,
  ];
}

const ATTEMPTS = 5;

/** The facts of all projects, after the session-end hook has stored the user's messages. */
async function readStored(place: Place): Promise<readonly Stored[]> {
  const here = ["--project", place.repository];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // Clients do not wait for the hook. Some have none, and Claude Code keeps what follows a command apart.
    if ((await runOwn(place, ["recall", SAID, ...here])).stdout.includes(SAID)) break;
  }
  const list = ["memories", "--kind", "fact", "--all", "--json"];
  const lists = [await runOwn(place, list), await runOwn(place, [...list, ...here])];
  const all = lists.flatMap(({ stdout }) => JSON.parse(stdout) as Stored[]);
  return [...new Map(all.map((memory) => [memory.id, memory])).values()];
}

/** Files in the repository that still mention Throughline. OpenCode leaves some of its own files. */
function leftIn({ repository }: Place): readonly string[] {
  return readdirSync(repository, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.git\b|node_modules/.test(entry.parentPath.slice(repository.length)))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => /throughline/i.test(readFileSync(file, "utf8")))
    .map((file) => file.slice(repository.length + 1));
}

/** Saves the new memory, then follows the answer: saves it again with the id that the answer names. */
function callRemember(): (body: string) => Reply {
  let calls = 0;
  return (body) => {
    const tools = offeredTools(JSON.parse(body) as Json);
    const tool = tools.find(({ name }) => /throughline.*remember$|^remember$/.test(name));
    const search = tools.find(({ name }) => name === "ToolSearch");
    const call = (address: object, input: object): Reply => {
      calls += 1;
      return { calls: [{ id: `call_${calls}`, ...(address as { name: string }), input }] };
    };
    if (body.includes("Saved; it replaces") || calls > 6) return { text: "Saved." };
    if (tool === undefined && search !== undefined)
      return call(addressOf(search), { query: "throughline remember", max_results: 5 });
    if (tool === undefined) return { text: "I cannot save it." };
    const [, outdated] = /replaces: \[[\\"]+(mem_\w+)[\\"]+\]/.exec(body) ?? [];
    if (outdated === undefined) return call(addressOf(tool), { text: NEW });
    return call(addressOf(tool), { text: NEW, replaces: [outdated] });
  };
}
