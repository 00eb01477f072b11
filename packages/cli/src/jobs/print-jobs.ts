import { styleText } from "node:util";
import type { StoredJob } from "throughline/internal";
import { moment } from "../format-values.ts";
import { printableLine } from "../printable.ts";

/** Jobs for people: what each is, how it stands, and what went wrong the last time. */
export function printJobs(jobs: readonly StoredJob[]): string {
  if (jobs.length === 0) return "There are none. A server makes them: throughline serve\n";
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
      return `waits until ${moment(runAt)}${attempts === 0 ? "" : `, after ${tries}`}`;
    case "running":
      return `runs (attempt ${attempts} of ${maxAttempts})`;
    case "done":
      return `done on ${moment(finishedAt)}`;
    case "dead":
      return `failed for good on ${moment(finishedAt)}, after ${tries}`;
  }
}

function ownerOf({ owner, projectId }: StoredJob): string {
  if (owner === "") return "";
  return `; for ${[owner, ...(projectId === undefined ? [] : [projectId])].map((name) => printableLine(name)).join(" in ")}`;
}
