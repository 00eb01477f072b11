export type { PostgresStoreOptions } from "./options.ts";
export { postgresStore } from "./postgres-store.ts";
