import process from "node:process";
import { coveredLabels } from "./measures/covered.ts";
import { notePolicies } from "./note-policy.ts";
import { readCases, type SessionCases } from "./read-cases.ts";

export interface PrintOptions {
  readonly data: string;
  /** First characters of the session's id. */
  readonly session: string;
  /** A part of the policy's name. */
  readonly policy: string;
  /** Tokens. */
  readonly size: number;
}

/**
 * Prints the note about one session in full, and on stderr the labels that it does not cover. Returns the exit code.
 */
export async function printNote({ data, session, policy, size }: PrintOptions): Promise<number> {
  const found: SessionCases[] = [];
  for await (const cases of readCases(data, (id) => id.startsWith(session))) found.push(cases);
  const [first] = found;
  if (first === undefined || found.length > 1) {
    process.stderr.write(`${found.length} sessions have an id that begins with ${session}: expected one.\n`);
    return 2;
  }
  const writers = notePolicies.filter((p) => p.ownSizeOnly !== true && p.name.includes(policy.toLowerCase()));
  for (const { name, write } of writers) {
    const note = await write(first.session, size);
    console.log(`${writers.length > 1 ? `# ${name}\n\n` : ""}${note}\n`);
    const covered = new Set(coveredLabels(first.session.labels, note));
    const missed = first.session.labels.filter((label) => !covered.has(label));
    const lines = missed.map(({ text }) => `- ${text}\n`).join("");
    process.stderr.write(
      `${name}: ${covered.size} of ${first.session.labels.length} labels covered. Missing:\n${lines}`,
    );
  }
  return writers.length === 0 ? 2 : 0;
}
