/**
 * Reports about the windows and compactions of sessions.
 *
 * Not part of the public API: semantic versioning does not cover it, and any release may change or remove its names. It
 * is for `@throughline/server`, `@throughline/cli` and the Studio of the same version.
 *
 * @module
 */

export { type NameUse, NeededNames, namedIn, readNameUses } from "../../compact/needed-names.ts";
export { type CompactionReview, CompactionReviewer } from "../../compact/review-compactions.ts";
export type { CacheUse } from "../../inspect/cache-bill.ts";
export type { ItemFate } from "../../inspect/compacted-items.ts";
export type { NameEvidence, NamePlace } from "../../inspect/name-evidence.ts";
export {
  type RecordedMasks,
  type RecordedSession,
  RecordedSessions,
  redactSession,
} from "../../inspect/recorded-sessions.ts";
export { reportHtml } from "../../inspect/report-html.ts";
export type { RulePresence } from "../../inspect/rule-presence.ts";
export {
  type ReportedCompaction,
  type ReportedMessage,
  reportSession,
  type SessionReport,
} from "../../inspect/session-report.ts";
export { summarizeMessages } from "../../inspect/summarize-messages.ts";
export { BANDS, type Band } from "../../inspect/window-meter.ts";
export { type SentWindow, type SizedMessage, windowOfCall } from "../../inspect/window-tracker.ts";
export { namesGone, worstCompaction } from "../../inspect/worst-compaction.ts";
