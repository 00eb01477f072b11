import { omitUndefined } from "../../internal/json.ts";
import type { ForgetReason } from "./forget-memories.ts";
import type { ConsolidationPlan } from "./plan-consolidation.ts";

/** A change that a consolidation would make. */
export interface PlannedChange {
  readonly action: "merge" | "archive" | "contradiction" | "shorten";
  /** Id of the memory that changes; of a contradiction, the older one. */
  readonly id: string;
  /** Id of the memory that it is merged into or contradicts. */
  readonly other?: string;
  /** Reason for archiving it, or for the contradiction. */
  readonly reason?: ForgetReason | string;
}

/** The changes of a plan that a person can judge, without links and adjusted confidences. */
export function plannedChanges({ merged, reasons, contradictions, memories }: ConsolidationPlan): PlannedChange[] {
  const shortened = memories.filter(({ id, servedLevel, archivedAt }) => {
    return servedLevel !== undefined && archivedAt === undefined && !merged.has(id);
  });
  return [
    ...[...merged].map(([id, other]) => ({ action: "merge", id, other }) as const),
    ...[...reasons].map(([id, reason]) => ({ action: "archive", id, reason }) as const),
    ...contradictions.map(({ memoryA, memoryB, reason }) => {
      return { action: "contradiction", id: memoryA, other: memoryB, reason } as const;
    }),
    ...shortened.map(({ id, servedLevel }) => omitUndefined({ action: "shorten", id, reason: servedLevel } as const)),
  ];
}
