import type { DialectName } from "../sql-driver.ts";
import { messages } from "./0001-messages.ts";
import { compactions } from "./0002-compactions.ts";
import { memories } from "./0003-memories.ts";
import { documents } from "./0004-documents.ts";
import { server } from "./0005-server.ts";
import { currentChatFacts } from "./0006-current-chat-facts.ts";
import { blobs } from "./0007-blobs.ts";
import { eventsByOwner } from "./0008-events-by-owner.ts";
import { memoryLists } from "./0009-memory-lists.ts";

/** All migrations in order. Append only. */
export const MIGRATIONS: readonly Migration[] = [
  messages,
  compactions,
  memories,
  documents,
  server,
  currentChatFacts,
  blobs,
  eventsByOwner,
  memoryLists,
];

/** Schema version with all migrations. */
export const LATEST_VERSION = MIGRATIONS.length;

/** One schema step, forward only: a released migration is never changed. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  statements(dialect: DialectName): readonly string[];
}
