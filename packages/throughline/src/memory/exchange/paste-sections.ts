import type { FactCategory } from "../../ports/memory.ts";

/** What a heading of a pasted export says of the lines below it. */
export interface PasteSection {
  readonly category?: FactCategory;
  /** What stands there is what the assistant is to do. */
  readonly holdsOrders: boolean;
}

const SECTIONS: readonly (readonly [pattern: RegExp, section: PasteSection])[] = [
  [
    /\b(?:instructions?|how to respond|response (?:style|preferences)|tone|style|format|corrections?)\b/,
    { category: "preference", holdsOrders: true },
  ],
  [/\b(?:preferences?|likes|tastes?|interests?|hobbies)\b/, { category: "preference", holdsOrders: false }],
  [
    /\b(?:projects?|goals?|top of mind|recent months|current(?:ly)?|plans|to-?dos?|ongoing|topics)\b/,
    { category: "project", holdsOrders: false },
  ],
  [
    /\b(?:about|identity|personal|work|career|professional|background|history|earlier|long-term|family|people|details|tools|skills|education|location|health|bio|facts|context|memor(?:y|ies))\b/,
    { category: "identity", holdsOrders: false },
  ],
];
/** Headings of the summary that Claude keeps. */
const CLAUDE =
  /^(?:work context|personal context|top of mind|brief history|recent months|earlier context|long-term background|other instructions)$/;

/** What stands under a heading that is not known. */
export const NO_SECTION: PasteSection = { holdsOrders: false };

/** What a heading says of what follows. */
export function readSection(heading: string): PasteSection {
  const plain = heading.toLowerCase();
  return SECTIONS.find(([pattern]) => pattern.test(plain))?.[1] ?? NO_SECTION;
}

/** Whether it is one of the headings under which Claude writes prose about a person. */
export function isClaudeHeading(heading: string): boolean {
  return CLAUDE.test(heading.trim().toLowerCase());
}
