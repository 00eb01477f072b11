import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  measureRequests,
  type RequestMeasure,
  sumUp,
  type TaskMeasures,
  toolOutputOf,
} from "../../../server/test/provider/measure-requests.ts";
import type { Fault } from "../../../server/test/provider/provider-server.ts";
import { RULE, type ScriptedTask, scriptedTask } from "../../../server/test/provider/scripted-task.ts";
import { checkImport } from "./check-import.ts";
import type { Client, Place } from "./client.ts";
import { commandOf, scratchEnv } from "./place.ts";
import { type Ended, runToEnd } from "./processes.ts";
import { type Rig, startRig } from "./rig.ts";
import { createScratch, type Scratch } from "./scratch.ts";
import type { Tapped } from "./tap.ts";

const MAX_RUN_MS = 15 * 60_000;

/** One task played through the proxy. */
export interface Played {
  readonly failure: string | undefined;
  readonly measures: TaskMeasures;
  /** One entry per request of the task, as the provider saw it. */
  readonly log: readonly RequestMeasure[];
  /** One entry per request of the client, with its response and session. */
  readonly answers: readonly (Omit<Tapped, "body"> & { readonly isStep: boolean })[];
  /** Error responses that the client received, including scripted faults. */
  readonly seenRefusals: readonly string[];
  readonly sessions: number;
  readonly steps: number;
  readonly issued: number;
  readonly ownSummaries: number;
  /** Tokens of tool output that the client sent, each output once. */
  readonly toolOutput: number;
  /** Lines of the client's transcript that could not be parsed. */
  readonly unread: string | undefined;
  readonly output: string;
}

interface PlayOptions {
  readonly modules: number;
  /** Direct, without the proxy, in a window of a million tokens. */
  readonly isDirect: boolean;
}

/** Plays the rename over the given number of modules through the proxy. */
export async function playTask(client: Client, installed: string, { modules, isDirect }: PlayOptions): Promise<Played> {
  const scratch = createScratch(modules);
  const rig = await startRig(scratch.home, scratchEnv(scratch.home), isDirect);
  try {
    const task = scriptedTask({ modules, folder: scratch.repository });
    const isLong = modules > 30;
    const { provider } = rig.upstream;
    Object.assign(provider, {
      limit: isDirect ? 1_000_000 : isLong ? 200_000 : client.shortWindow,
      countsReply: isLong,
      rolesMustAlternate: false,
      answer: task.answer,
    });
    rig.upstream.fault = faultsAt(task, client.endsAt ?? []);
    const place: Place = { ...scratch, installed, url: rig.tap.url, prompt: task.prompt };
    const invocation = client.invoke?.(place);
    if (invocation === undefined) throw new Error(`${client.name} cannot play a task.`);
    const ended = await runToEnd(commandOf(invocation, place), MAX_RUN_MS);
    ended.stopRest();
    const unread = client.transcripts && (await checkImport(place, client.transcripts, task));
    return { ...judge(task, rig, ended, scratch), unread };
  } finally {
    await rig.close();
    scratch.remove();
  }
}

/** Faults: one busy response at step 7, one broken stream at step 13. */
function faultsAt(task: ScriptedTask, leftOut: readonly Fault[]) {
  const faults: { step: number; fault: Fault }[] = [
    { step: 7, fault: "busy" },
    { step: 13, fault: "cut" },
  ];
  const left = faults.filter(({ fault }) => !leftOut.includes(fault));
  return () => {
    const next = left[0];
    if (next === undefined || task.progress.issued < next.step) return undefined;
    left.shift();
    return next.fault;
  };
}

/** Statuses of the scripted faults. A stream that breaks off before anything was forwarded becomes a 502. */
const FAULTS = [429, 502, 529];

function judge(task: ScriptedTask, rig: Rig, ended: Ended, { repository }: Scratch): Omit<Played, "unread"> {
  const calls = rig.upstream.log.filter(({ method, body }) => method === "POST" && isTask(task, body));
  const tapped = rig.tap.tapped.filter(({ body }) => isTask(task, body));
  const seen = tapped.filter(({ status }) => status >= 400);
  const log = measureRequests(calls);
  const measures = sumUp(log);
  const refused = seen.filter(({ status }) => !FAULTS.includes(status));
  const { issued, isDone, summaries } = task.progress;
  // Cline cuts its own history without a summary. Windows that it sends without the rule are not errors of the proxy.
  const ownWithoutRule = tapped.filter(
    ({ body }) => !body.includes(RULE) && !body.includes("previous_response_id"),
  ).length;
  const withoutRule = measures.withoutRule - ownWithoutRule;
  const renamed = readFileSync(join(repository, "src", "mod_00.mjs"), "utf8").includes("order_sum_mod_00");
  const reasons = [
    ended.isTimeout && "time is up",
    !isDone && `ended at step ${issued} of ${task.steps}`,
    ended.code !== 0 && `exit code ${ended.code}`,
    refused.length > 0 && `${refused.length} refusals reached the client (${refused[0]?.status} ${refused[0]?.path})`,
    withoutRule > 0 && summaries === 0 && `${withoutRule} windows without the rule`,
    isDone && !renamed && "nothing was renamed",
  ].filter((reason) => typeof reason === "string");
  return {
    failure: reasons.length === 0 ? undefined : reasons.join("; "),
    measures,
    log,
    answers: rig.tap.tapped.map(({ body, ...answer }) => ({ ...answer, isStep: isTask(task, body) })),
    seenRefusals: seen.map(({ status, path }) => `${status} ${path}`),
    sessions: new Set(tapped.flatMap(({ session }) => session ?? [])).size,
    steps: task.steps,
    issued,
    ownSummaries: summaries,
    toolOutput: toolOutputOf(tapped.map(({ body }) => body)),
    output: `${ended.stdout}\n${ended.stderr}\n${rig.complaints()}`.slice(-3_000),
  };
}

function isTask(task: ScriptedTask, body: string): boolean {
  try {
    return task.isStep(body);
  } catch {
    return false;
  }
}
