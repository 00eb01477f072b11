import { BLOBS } from "../blobs/blob-rows.ts";
import { DOCUMENTS } from "../documents/document-store.ts";
import { CONTRADICTIONS } from "../memories/contradiction-rows.ts";
import { CHANGES, JOURNAL } from "../memories/journal-rows.ts";
import { JUDGED, JUDGEMENTS } from "../memories/judgements.ts";
import { ARTIFACTS, MEMORIES } from "../memories/memory-rows.ts";
import { ENTRIES, TURNS } from "../memories/turn-rows.ts";
import { MESSAGES, PARTS } from "../message-rows.ts";
import { ANSWERS } from "../server/answer-store.ts";
import { JOBS } from "../server/job-rows.ts";
import { COMPACTIONS, RECEIPTS, STATES } from "../session-rows.ts";
import type { SealedTable } from "./sealed-rows.ts";

/** All tables with content. A test checks that all other columns are known to have none. */
export const SEALED_TABLES: readonly SealedTable[] = [
  ...[MESSAGES, PARTS, STATES, COMPACTIONS, RECEIPTS],
  ...[MEMORIES, ARTIFACTS, TURNS, ENTRIES, CONTRADICTIONS, JOURNAL, CHANGES, JUDGEMENTS, JUDGED],
  ...[DOCUMENTS, BLOBS, JOBS, ANSWERS],
];
