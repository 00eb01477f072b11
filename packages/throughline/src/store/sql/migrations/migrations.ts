import { messages } from "./0001-messages.ts";
import { compactions } from "./0002-compactions.ts";
import { memories } from "./0003-memories.ts";
import type { Migration } from "./migration.ts";

/** All of them, in order. A new one goes to the end. */
export const MIGRATIONS: readonly Migration[] = [messages, compactions, memories];

/** The version of a database that has all of them. */
export const LATEST_VERSION = MIGRATIONS.length;
