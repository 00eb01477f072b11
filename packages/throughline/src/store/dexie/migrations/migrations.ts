import { conversations } from "./0001-conversations.ts";
import { memory } from "./0002-memory.ts";
import { sessions } from "./0003-sessions.ts";
import { memories } from "./0004-memories.ts";
import { documents } from "./0005-documents.ts";
import { blobs } from "./0006-blobs.ts";
import type { Migration } from "./migration.ts";

/** All migrations in order. Append only. */
export const migrations: readonly Migration[] = [conversations, memory, sessions, memories, documents, blobs];
