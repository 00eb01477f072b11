import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { runsCommand, sessionStarts } from "./session-starts.ts";

const USAGE = "Usage: npm run bench -- context commands --data FOLDER [--show]\n";
const GOAL = 0.7;

/**
 * Measures how many labelled commands of a session the text at its start has verbatim, if an earlier session of the
 * project ran them.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" }, show: { type: "boolean" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const labels = await readCommands(values.data);
  const found = { told: 0, known: 0 };
  for await (const { point, assembled, earlierScripts } of sessionStarts(values.data)) {
    for (const command of labels.get(point.session.id) ?? []) {
      if (!earlierScripts.some((script) => runsCommand(script, command))) continue;
      const isFact = runsCommand(assembled.context, command);
      found.known += 1;
      found.told += Number(isFact);
      if (values.show) console.log(`${isFact ? "told  " : "missed"}  ${point.session.id.slice(0, 8)}  ${command}`);
    }
  }
  const share = found.told / Math.max(1, found.known);
  const isReached = share >= GOAL;
  console.log(
    `${found.told} of ${found.known} commands that an earlier session ran (${(100 * share).toFixed(1)}%); ` +
      `goal (${100 * GOAL}%): ${isReached ? "reached" : "missed"}.`,
  );
  return isReached ? 0 : 1;
}

/** Labelled commands by session id. */
async function readCommands(data: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await readFile(path.join(data, "claude-code", "labels", "sessions.jsonl"), "utf8");
  const rows = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as { readonly session: string; readonly commands: readonly string[] });
  return new Map(rows.map(({ session, commands }) => [session, commands]));
}
