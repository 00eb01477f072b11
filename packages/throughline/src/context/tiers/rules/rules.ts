import {
  aboutUser,
  conventions,
  debuggingWorkflows,
  errorConventions,
  history,
  notes,
  preferences,
  workflows,
} from "./background.ts";
import type { Rule } from "./candidate.ts";
import {
  activeDecisions,
  allOpenQuestions,
  fixesInFiles,
  knownIssues,
  openContradictions,
  openQuestions,
  pinnedContradictions,
  pinnedMemories,
  recentDecisions,
  recentErrors,
} from "./critical.ts";
import {
  allPatterns,
  collaboratorPreferences,
  dependencies,
  likelyFiles,
  moduleMemories,
  pastWork,
  patternsHere,
  predicted,
  relatedDecisions,
  relevantToTask,
  similarWork,
  testFailures,
} from "./relevant.ts";
import { similarErrors } from "./similar-errors.ts";

/** A rule of a tier. */
export interface NamedRule {
  readonly find: Rule;
  /** True if it is filled before all others, even beyond the share of its tier. */
  readonly isFirst?: boolean;
}

/** All rules by the name that receipts use. */
export const RULES = {
  "pinned-contradiction": { find: pinnedContradictions, isFirst: true },
  pinned: { find: pinnedMemories, isFirst: true },
  "open-contradiction": { find: openContradictions },
  "active-decision": { find: activeDecisions },
  "recent-decision": { find: recentDecisions },
  "similar-error": { find: similarErrors },
  "recent-error": { find: recentErrors },
  "fix-here": { find: fixesInFiles },
  "known-issue": { find: knownIssues },
  "open-question": { find: openQuestions },
  "any-open-question": { find: allOpenQuestions },
  predicted: { find: predicted },
  "fits-task": { find: relevantToTask },
  "related-decision": { find: relatedDecisions },
  "collaborator-preference": { find: collaboratorPreferences },
  "pattern-here": { find: patternsHere },
  pattern: { find: allPatterns },
  "past-work": { find: pastWork },
  "similar-work": { find: similarWork },
  module: { find: moduleMemories },
  dependency: { find: dependencies },
  "likely-file": { find: likelyFiles },
  "test-failure": { find: testFailures },
  convention: { find: conventions },
  "error-convention": { find: errorConventions },
  preference: { find: preferences },
  workflow: { find: workflows },
  "debugging-workflow": { find: debuggingWorkflows },
  history: { find: history },
  note: { find: notes },
  person: { find: aboutUser },
} satisfies Readonly<Record<string, NamedRule>>;

export type RuleName = keyof typeof RULES;
