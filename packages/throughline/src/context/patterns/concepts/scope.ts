import type { Role, Step } from "../code-unit.ts";
import type { CodeEvent } from "../syntax/read-events.ts";

/** Surroundings of an event, for its interpretation. */
export interface Scope {
  readonly language: string;
  readonly role: Role;
  /** Packages that the file imports. */
  readonly packages: readonly string[];
  /** Names of the function's parameters. */
  readonly parameters: readonly string[];
  /** Call path that each name got its value from. */
  readonly bound: ReadonlyMap<string, readonly string[]>;
}

/** Returns the step of an event, or undefined if it does not recognize it. */
export type Recognizer = (event: CodeEvent, scope: Scope) => Step | undefined;

export const SCRIPTS: readonly string[] = ["typescript", "tsx", "javascript"];

export function isScript({ language }: Pick<Scope, "language">): boolean {
  return SCRIPTS.includes(language);
}
