import type { Memory } from "../../ports/memory.ts";

/**
 * Of whom, where and for whom a memory says something. Only memories of one place are compared: what is true of one
 * subject, in one project or for one person says nothing of another. What a project shares about other things than a
 * person is the same whoever said it.
 */
export function placeOf({ scope, projectId = "", owner, subject = "user" }: Memory): string {
  const about = subject.trim().toLowerCase();
  return JSON.stringify([scope, projectId, scope === "user-private" || isPersonal(about) ? owner : "", about]);
}

/** Whether something is said of the one who says it, or of what is theirs. */
export function isPersonal(subject: string): boolean {
  return /^(?:the )?user(?:'s |’s |$)/i.test(subject.trim());
}
