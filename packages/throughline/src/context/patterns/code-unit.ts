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
  readonly lines: number;
  /** In the order of execution. */
  readonly steps: readonly Step[];
  /** Class of a method, base class of a class, or constructor of a constant. */
  readonly of?: string;
  /** First line, with placeholders for the name: `class {Name}(HttpTransport)`. */
  readonly header?: string;
}

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

/** A line of a source file: `src/routes/users.ts:12`. */
export interface CodePlace {
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
}

/** A way in which a project writes a kind of code, learned from several places. */
export interface CodePattern {
  /** Kind of code and language: `endpoint:script`. Stays the same if the pattern changes. */
  readonly key: string;
  /** Readable name: "API endpoint". */
  readonly title: string;
  /** Task that the pattern applies to: `new_endpoint`. */
  readonly trigger: string;
  /** Parts in order, with placeholders for variable content. */
  readonly template: Readonly<Record<string, string>>;
  /** The pattern in one line: `endpoint: route→zod→result→json`, `command: Use→Short→RunE`. */
  readonly hint: string;
  /** Up to two places that follow the pattern, the clearest first: typical, short and recently changed. */
  readonly examples: readonly CodePlace[];
  /** Number of files that follow the pattern, of all files with this kind of code. */
  readonly support: { readonly files: number; readonly of: number };
  /** Probability that new code of this kind follows the pattern, from 0 to 1. */
  readonly confidence: number;
  /** Specificity: higher with more files and rarer parts. */
  readonly score: number;
}
