import { styleText } from "node:util";
import { type Command, Option } from "commander";
import type { JobQueue, JobState, StoredJob } from "throughline/internal/sql";
import { omitUndefined } from "throughline/internal/util";
import { type CommandOptions, readPages, withStoredData } from "../data/open-data.ts";
import { dryRunOption, jsonListOption, jsonOption } from "../terminal/options.ts";
import { moment, printableLine, printResult } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";

const STATES = ["waiting", "running", "done", "dead"] as const satisfies readonly JobState[];

interface JobsOptions extends CommandOptions {
  readonly state?: JobState;
}

export function addJobsCommand(program: Command): void {
  const jobs = program
    .command("jobs")
    .summary("List background jobs")
    .description(
      "List the background jobs of servers: waiting, running, or failed permanently. `jobs retry` retries a failed one.",
    )
    .addOption(new Option("--state <state>", "Only jobs in this state; dead means failed permanently").choices(STATES))
    .addOption(jsonListOption())
    .addHelpText(
      "after",
      "\nA running server runs the jobs: some immediately, some at night.\n\nExamples:\n  throughline jobs --state dead\n  throughline jobs retry 12",
    )
    .action((_, command: Command) => list(command.optsWithGlobals()));
  jobs
    .command("retry")
    .description("Queue a job that failed permanently again, with a new set of attempts.")
    .argument("<id>", "Job id, as `jobs` or `doctor` prints it")
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline jobs retry 12")
    .action((id: string, _, command: Command) => retry(id, command.optsWithGlobals()));
}

async function list(options: JobsOptions): Promise<void> {
  const found = (await withStoredData(options, ({ store }) => allJobs(store.server.jobs, options.state))) ?? [];
  // Finished jobs are shown only on request.
  const shown = options.state === undefined ? found.filter(({ state }) => state !== "done") : found;
  printResult(options, shown, () => printJobs(shown));
}

function allJobs(jobs: JobQueue, state: JobState | undefined): Promise<readonly StoredJob[]> {
  return readPages(
    (page) => jobs.list(omitUndefined({ state, ...page })),
    ({ id }) => id,
  );
}

async function retry(id: string, options: CommandOptions): Promise<void> {
  const { dryRun = false } = options;
  const job = await withStoredData(options, async ({ store: { server } }) => {
    const dead = (await allJobs(server.jobs, "dead")).find((one) => one.id === id);
    const isRevived = dead !== undefined && (dryRun || (await server.jobs.revive(id)));
    if (dead !== undefined && !isRevived) {
      throw new UsageError(
        `Could not retry job ${id}: an identical job is already waiting or running.`,
        "Wait until it ends; `throughline jobs` lists both.",
      );
    }
    return dead;
  });
  if (job === undefined) {
    throw new UsageError(
      `Could not retry job ${printableLine(id)}: no failed job has this id.`,
      "List the failed jobs with `throughline jobs --state dead`.",
    );
  }
  const report = `Job ${id} (${printableLine(job.kind)}) ${dryRun ? "would be queued" : "is queued"} again; a running server will pick it up.\n`;
  printResult(options, { id, kind: job.kind, dryRun, retried: !dryRun }, () => report);
}

function printJobs(jobs: readonly StoredJob[]): string {
  if (jobs.length === 0) return "No jobs. A running server creates them: throughline serve\n";
  const widest = (text: (job: StoredJob) => string) => Math.max(...jobs.map((job) => text(job).length));
  const [ids, kinds] = [widest(({ id }) => id), widest(kindOf)];
  const lines = jobs.flatMap((job) => [
    `${job.id.padStart(ids)}  ${kindOf(job).padEnd(kinds)}  ${stateOf(job)}${ownerOf(job)}`,
    ...(job.lastError === undefined ? [] : [`${"".padStart(ids)}  ${styleText("dim", printableLine(job.lastError))}`]),
  ]);
  return `${lines.join("\n")}\n`;
}

function kindOf({ kind }: StoredJob): string {
  return printableLine(kind);
}

function stateOf({ state, attempts, maxAttempts, runAt, finishedAt = 0 }: StoredJob): string {
  const tries = `${attempts} of ${maxAttempts} attempts`;
  switch (state) {
    case "waiting":
      return `waiting until ${moment(runAt)}${attempts === 0 ? "" : `, after ${tries}`}`;
    case "running":
      return `running (attempt ${attempts} of ${maxAttempts})`;
    case "done":
      return `done on ${moment(finishedAt)}`;
    case "dead":
      return `failed permanently on ${moment(finishedAt)}, after ${tries}`;
  }
}

function ownerOf({ owner, projectId }: StoredJob): string {
  if (owner === "") return "";
  return `; for ${[owner, ...(projectId === undefined ? [] : [projectId])].map((name) => printableLine(name)).join(" in ")}`;
}
