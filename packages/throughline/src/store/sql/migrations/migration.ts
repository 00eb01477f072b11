import type { DialectName } from "../dialect.ts";

/** One step of the schema, forward only: what was published is never edited. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  statements(dialect: DialectName): readonly string[];
}
