/**
 * Reports about the windows and compactions of sessions.
 *
 * Not part of the public API: semantic versioning does not cover it, and any release may change or remove its names. It
 * is for `@throughline/server`, `@throughline/cli` and the Studio of the same version.
 *
 * @module
 */

export {
  type CompactionReview,
  CompactionReviewer,
  type NameUse,
  NeededNames,
  namedIn,
  readNameUses,
} from "../../compact/review-compactions.ts";
export {
  type RecordedMasks,
  type RecordedSession,
  RecordedSessions,
  redactSession,
} from "../../inspect/recorded-sessions.ts";
export type { ItemFate } from "../../inspect/session-inspector.ts";
export type { NameEvidence, NamePlace } from "../../inspect/session-report.ts";
export {
  namesGone,
  type ReportedCompaction,
  type ReportedMessage,
  reportHtml,
  reportSession,
  type SessionReport,
  summarizeMessages,
  worstCompaction,
} from "../../inspect/session-report.ts";
export type { CacheUse, RulePresence } from "../../inspect/session-trackers.ts";
export { BANDS, type Band, type SentWindow, type SizedMessage, windowOfCall } from "../../inspect/window-tracker.ts";
