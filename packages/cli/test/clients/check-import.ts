import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedTask } from "../../../server/test/provider/scripted-task.ts";
import type { Place } from "./client.ts";
import { runOwn } from "./place.ts";

interface Survey {
  readonly sessions: readonly {
    readonly messages: Readonly<Record<string, number>>;
    readonly spoken: number;
    readonly toolCalls: Readonly<Record<string, number>>;
  }[];
  readonly skipped: { readonly total: number };
}

/** Reads the client's transcript and compares it with the task that the provider played. Returns the failures. */
export async function checkImport(
  place: Place,
  pattern: RegExp,
  { progress }: ScriptedTask,
): Promise<string | undefined> {
  const files = readdirSync(place.home, { recursive: true, encoding: "utf8" }).filter((file) => pattern.test(file));
  if (files.length === 0) return "no transcript found";
  const total = { assistant: 0, calls: 0, spoken: 0, skipped: 0 };
  for (const file of files) {
    const { code, stdout, stderr } = await runOwn(place, ["inspect", join(place.home, file), "--json"]);
    if (code !== 0) return `inspect: ${stderr.slice(0, 200)}`;
    const { sessions, skipped } = JSON.parse(stdout) as Survey;
    total.skipped += skipped.total;
    for (const { messages, spoken, toolCalls } of sessions) {
      total.assistant += messages.assistant ?? 0;
      total.spoken += spoken;
      total.calls += Object.values(toolCalls).reduce((sum, count) => sum + count, 0);
    }
  }
  const imported = await runOwn(place, ["import", ...files.map((file) => join(place.home, file))]);
  const reasons = [
    total.calls !== progress.calls && `${total.calls} of ${progress.calls} tool calls read`,
    total.assistant < progress.issued && `${total.assistant} of ${progress.issued} assistant messages read`,
    total.spoken !== 1 && `${total.spoken} messages of the user read instead of 1`,
    total.skipped > 0 && `${total.skipped} records unread`,
    imported.code !== 0 && `import: ${imported.stderr.slice(0, 200)}`,
  ];
  return reasons.filter((reason) => typeof reason === "string").join("; ") || undefined;
}
