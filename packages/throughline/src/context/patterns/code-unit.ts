/** Purpose of a code unit. */
export type Role = "endpoint" | "middleware" | "test" | "component" | "function" | "class" | "value" | "catch";

/**
 * One action of a code unit: `validation=zod_schema`, `call=findUser`. The text before `=` is its part in a template.
 */
export type Step = `${string}=${string}`;

/** A unit of code that may follow a pattern: an endpoint, test, function, class or constant. */
export interface CodeUnit {
  readonly role: Role;
  readonly name: string;
  readonly line: number;
  /** Number of lines. */
  readonly lines: number;
  /** In the order of execution. */
  readonly steps: readonly Step[];
  /** Class of a method, base class of a class, or constructor of a constant. */
  readonly of?: string;
  /** First line, with placeholders for the name: `class {Name}(HttpTransport)`. */
  readonly header?: string;
}

/** Facts about a source file, without its text. */
export interface FileFacts {
  readonly language: string;
  /** Imported packages, by their published names. */
  readonly packages: readonly string[];
  /** Path prefixes at which routers of other files are mounted. */
  readonly mounts: readonly string[];
  readonly units: readonly CodeUnit[];
}

export function partOf(step: Step): string {
  return step.slice(0, step.indexOf("="));
}

export function wordOf(step: Step): string {
  return step.slice(step.indexOf("=") + 1);
}
