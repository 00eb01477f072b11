import process from "node:process";
import { type Command, Option } from "commander";
import { type JobQueue, type JobState, omitUndefined, type StoredJob } from "throughline/internal";
import { type DataOptions, withKeptData } from "../data/open-data.ts";
import { dryRunOption, jsonListOption, jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printableLine } from "../printable.ts";
import { UsageError } from "../usage-error.ts";
import { printJobs } from "./print-jobs.ts";

const STATES = ["waiting", "running", "done", "dead"] as const satisfies readonly JobState[];
const PAGE = 500;

interface JobsOptions extends DataOptions {
  readonly state?: JobState;
  readonly json?: boolean;
}

interface RetryOptions extends DataOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addJobsCommand(program: Command): void {
  const jobs = program
    .command("jobs")
    .summary("see its work")
    .description("list the work of servers: what waits, runs or has failed for good; `jobs retry` tries that again")
    .addOption(new Option("--state <state>", "only those; dead ones have failed for good").choices(STATES))
    .addOption(jsonListOption())
    .addHelpText(
      "after",
      "\nA running server does them, in a moment or in the night, whoever put them there.\n\nExamples:\n  throughline jobs --state dead\n  throughline jobs retry 12",
    )
    .action((_, command: Command) => list(command.optsWithGlobals()));
  jobs
    .command("retry")
    .description("have servers try a job again that has failed for good, with all its attempts")
    .argument("<id>", "as `jobs` or `doctor` prints it")
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline jobs retry 12")
    .action((id: string, _, command: Command) => retry(id, command.optsWithGlobals()));
}

async function list(options: JobsOptions): Promise<void> {
  const found = (await withKeptData(options, ({ store }) => allJobs(store.server.jobs, options.state))) ?? [];
  // What is done is seldom what somebody looks for.
  const shown = options.state === undefined ? found.filter(({ state }) => state !== "done") : found;
  process.stdout.write(options.json ? printJson(shown) : printJobs(shown));
}

/** Page by page, so that others are not kept from writing. */
async function allJobs(jobs: JobQueue, state: JobState | undefined): Promise<readonly StoredJob[]> {
  const found: StoredJob[] = [];
  for (let after: string | undefined; ; ) {
    const page = await jobs.list(omitUndefined({ state, after, limit: PAGE }));
    found.push(...page);
    if (page.length < PAGE) return found;
    after = page.at(-1)?.id;
  }
}

async function retry(id: string, options: RetryOptions): Promise<void> {
  const { dryRun = false } = options;
  const job = await withKeptData(options, async ({ store: { server } }) => {
    const dead = (await allJobs(server.jobs, "dead")).find((one) => one.id === id);
    const isRevived = dead !== undefined && (dryRun || (await server.jobs.revive(id)));
    if (dead !== undefined && !isRevived) {
      throw new UsageError(
        `Another job that does the same as ${id} waits or runs already.`,
        "`throughline jobs` lists them.",
      );
    }
    return dead;
  });
  if (job === undefined) {
    throw new UsageError(
      `There is no job ${printableLine(id)} that has failed for good.`,
      "`throughline jobs --state dead` lists those that have.",
    );
  }
  const said = `Job ${id} (${printableLine(job.kind)}) ${dryRun ? "would wait" : "waits"} again; a running server does it.\n`;
  process.stdout.write(options.json ? printJson({ id, kind: job.kind, dryRun, retried: !dryRun }) : said);
}
