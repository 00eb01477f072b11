import type { FactCategory } from "../../ports/memory.ts";

/** Properties of the lines below a heading of a pasted export. */
export interface PasteSection {
  readonly category?: FactCategory;
  /** True if the lines are instructions to the assistant. */
  readonly hasInstructions: boolean;
}

const SECTIONS: readonly (readonly [pattern: RegExp, section: PasteSection])[] = [
  [
    /\b(?:instructions?|how to respond|response (?:style|preferences)|tone|style|format|corrections?)\b/,
    { category: "preference", hasInstructions: true },
  ],
  [/\b(?:preferences?|likes|tastes?|interests?|hobbies)\b/, { category: "preference", hasInstructions: false }],
  [
    /\b(?:projects?|goals?|top of mind|recent months|current(?:ly)?|plans|to-?dos?|ongoing|topics)\b/,
    { category: "project", hasInstructions: false },
  ],
  [
    /\b(?:about|identity|personal|work|career|professional|background|history|earlier|long-term|family|people|details|tools|skills|education|location|health|bio|facts|context|memor(?:y|ies))\b/,
    { category: "identity", hasInstructions: false },
  ],
];
const CLAUDE_HEADING =
  /^(?:work context|personal context|top of mind|brief history|recent months|earlier context|long-term background|other instructions)$/;

/** Section of lines below no heading or an unknown one. */
export const NO_SECTION: PasteSection = { hasInstructions: false };

/** Section for a heading, by the first pattern that matches. */
export function readSection(heading: string): PasteSection {
  const plain = heading.toLowerCase();
  return SECTIONS.find(([pattern]) => pattern.test(plain))?.[1] ?? NO_SECTION;
}

/** True for the headings of Claude's memory summary, which is prose about one person. */
export function isClaudeHeading(heading: string): boolean {
  return CLAUDE_HEADING.test(heading.trim().toLowerCase());
}
