import type { Memory } from "../../ports/memory.ts";

/**
 * Groups memories for comparison by scope, project, owner and subject. Only memories with the same key can be duplicates
 * or contradict each other. The owner does not count for shared memories that are not about a person.
 */
export function comparisonKey({ scope, projectId = "", owner, subject = "user" }: Memory): string {
  const about = subject.trim().toLowerCase();
  return JSON.stringify([scope, projectId, scope === "user-private" || isPersonal(about) ? owner : "", about]);
}

/** True if the subject is the user, or something that belongs to the user. */
export function isPersonal(subject: string): boolean {
  return /^(?:the )?user(?:'s |’s |$)/i.test(subject.trim());
}
