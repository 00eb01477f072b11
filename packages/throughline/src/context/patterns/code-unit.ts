/** What a piece of code is for. */
export type Role = "endpoint" | "test" | "component" | "function" | "class" | "catch";

/**
 * One thing that a piece of code does: `validation=zod_schema`, `call=findUser`. What stands before the sign is the part
 * that it has in a template.
 */
export type Step = `${string}=${string}`;

/** A piece of code that may be written like others: an endpoint, a test, a function, a class. */
export interface CodeUnit {
  readonly role: Role;
  readonly name: string;
  readonly line: number;
  /** In the order in which they are done. */
  readonly steps: readonly Step[];
  /** The class that it is a method of, or that a class extends. */
  readonly of?: string;
}

/** What is known of a file, without its text. */
export interface FileFacts {
  readonly language: string;
  /** Packages from elsewhere that it imports, by the names that their makers gave them. */
  readonly packages: readonly string[];
  /** Paths below which other files' endpoints are found. */
  readonly mounts: readonly string[];
  readonly units: readonly CodeUnit[];
}

export function partOf(step: Step): string {
  return step.slice(0, step.indexOf("="));
}

export function wordOf(step: Step): string {
  return step.slice(step.indexOf("=") + 1);
}
