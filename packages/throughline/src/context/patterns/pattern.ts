/** A place in the project's code: `src/routes/users.ts:12`. */
export interface CodePlace {
  readonly path: string;
  /** The first line is 1. */
  readonly line: number;
}

/** A way in which a project writes a kind of code, learnt from how it is written in several places. */
export interface CodePattern {
  /** What it is a pattern of, and in which language: `endpoint:script`. It stays the same while the pattern changes. */
  readonly key: string;
  /** For people: "API endpoint". */
  readonly title: string;
  /** What asks for it: `new_endpoint`. */
  readonly trigger: string;
  /** Its parts in order, with placeholders for what is different each time. */
  readonly template: Readonly<Record<string, string>>;
  /** All of it in a line: `endpoint: route→zod→result→json`. */
  readonly hint: string;
  /** Where it was found, the plainest first. */
  readonly examples: readonly CodePlace[];
  /** In how many files it is followed, and how many hold code of the kind at all. */
  readonly support: { readonly files: number; readonly of: number };
  /** How sure it is that the next piece of the kind is written so, from 0 to 1. */
  readonly confidence: number;
  /** How telling it is: the more files and the more special the parts, the higher. */
  readonly score: number;
}
