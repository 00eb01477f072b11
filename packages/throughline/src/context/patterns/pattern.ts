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
  /** Parts in order, with placeholders for what varies. */
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
