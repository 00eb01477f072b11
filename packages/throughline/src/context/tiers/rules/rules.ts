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
  fixesHere,
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

/** A rule of a tier, and the label above its lines. */
export interface NamedRule {
  readonly find: Rule;
  readonly label: string;
  /** True if it is filled before all others, even beyond the share of its tier. */
  readonly isFirst?: boolean;
}

/** All rules by the name that receipts use. */
export const RULES = {
  "pinned-contradiction": { find: pinnedContradictions, label: "Pinned, and in question:", isFirst: true },
  pinned: { find: pinnedMemories, label: "Pinned:", isFirst: true },
  "open-contradiction": { find: openContradictions, label: "Contradictions, ask which holds:" },
  "active-decision": { find: activeDecisions, label: "Decisions here:" },
  "recent-decision": { find: recentDecisions, label: "Recent decisions:" },
  "similar-error": { find: similarErrors, label: "Errors like this:" },
  "recent-error": { find: recentErrors, label: "Errors of the last day:" },
  "fix-here": { find: fixesHere, label: "Fixed here:" },
  "known-issue": { find: knownIssues, label: "Known issues:" },
  "open-question": { find: openQuestions, label: "Open questions:" },
  "any-open-question": { find: allOpenQuestions, label: "Open questions:" },
  predicted: { find: predicted, label: "Likely next:" },
  "fits-task": { find: relevantToTask, label: "On the task:" },
  "related-decision": { find: relatedDecisions, label: "Related decisions:" },
  "collaborator-preference": { find: collaboratorPreferences, label: "Wanted by others:" },
  "pattern-here": { find: patternsHere, label: "Patterns:" },
  pattern: { find: allPatterns, label: "Patterns:" },
  "past-work": { find: pastWork, label: "Done before:" },
  "similar-work": { find: similarWork, label: "Done before:" },
  module: { find: moduleMemories, label: "On this part:" },
  dependency: { find: dependencies, label: "On files that are next:" },
  "test-failure": { find: testFailures, label: "Failed tests:" },
  convention: { find: conventions, label: "Conventions:" },
  "error-convention": { find: errorConventions, label: "Conventions:" },
  preference: { find: preferences, label: "Preferences:" },
  workflow: { find: workflows, label: "Workflows:" },
  "debugging-workflow": { find: debuggingWorkflows, label: "Workflows:" },
  history: { find: history, label: "History:" },
  note: { find: notes, label: "Also known:" },
  person: { find: aboutUser, label: "About the user:" },
} satisfies Readonly<Record<string, NamedRule>>;

export type RuleName = keyof typeof RULES;
