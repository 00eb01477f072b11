import type { Memory } from "../../ports/memory.ts";

/** Line of an episode with its failures and fixes. */
const FAILED = /(?<!\n[^\S\n]*\n)^\s*Failed: (.+)$/m;
const BETWEEN = "; ";
/** Line of a workflow with a failure that the same command fixed several times. */
const HELPED = /^If \S{1,40} fails with .+$/gm;
const ARROW = " → ";
/** A repetition, or changes to files in between, do not explain a success. */
const UNEXPLAINED = /^worked (?:when tried again|after changes to)\b/;

/** Failures in an episode or a workflow, each with what fixed it. */
export function fixesIn({ kind, levels }: Memory): readonly string[] {
  if (kind === "workflow") return levels.full.match(HELPED) ?? [];
  return (FAILED.exec(levels.full)?.[1]?.split(BETWEEN) ?? []).filter((failure) => {
    return failure.split(ARROW).slice(1).some(explainsFix);
  });
}

/** True if the text about the success after a failure describes the fix. */
export function explainsFix(resolved: string): boolean {
  return resolved.trim() !== "" && !UNEXPLAINED.test(resolved);
}
