import type { Role, Step } from "../code-unit.ts";
import type { CodeEvent } from "../syntax/read-events.ts";

/** What is known around an event when it is asked what it means. */
export interface Scope {
  readonly language: string;
  readonly role: Role;
  /** Packages that the file imports. */
  readonly packages: readonly string[];
  /** Names of the function's parameters. */
  readonly parameters: readonly string[];
  /** By what call each name got its value. */
  readonly bound: ReadonlyMap<string, readonly string[]>;
}

/** Says what an event means, where it is one of those that it knows. */
export type Recognizer = (event: CodeEvent, scope: Scope) => Step | undefined;

export const SCRIPTS: readonly string[] = ["typescript", "tsx", "javascript"];

export function isScript({ language }: Pick<Scope, "language">): boolean {
  return SCRIPTS.includes(language);
}
