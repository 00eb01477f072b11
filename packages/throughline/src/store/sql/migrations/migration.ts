import type { DialectName } from "../dialect.ts";

/** One schema step, forward only: a released migration is never changed. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  statements(dialect: DialectName): readonly string[];
}
