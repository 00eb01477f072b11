import type { ReportedCompaction, RulePresence, SessionReport } from "throughline/internal/inspect";

/** A report as the server sends it: `snake_case` names and ISO times. */
export type WireReport = object;

type Renamed = Omit<SessionReport, "rules" | "compactions"> & {
  readonly rules: readonly (Omit<RulePresence, "repeatedAt"> & { readonly repeatedIn?: number })[];
  readonly compactions: readonly (Omit<ReportedCompaction, "at"> & { readonly firstMessage: number })[];
};

/** Reads a report of the server into the form that the inspector shows. */
export function readReport(wire: WireReport): SessionReport {
  const { rules, compactions, ...rest } = renamed(wire) as Renamed;
  return {
    ...rest,
    rules: rules.map(({ repeatedIn, ...rule }) => ({
      ...rule,
      ...(repeatedIn !== undefined && { repeatedAt: repeatedIn }),
    })),
    compactions: compactions.map(({ firstMessage, ...compaction }) => ({ ...compaction, at: firstMessage })),
  };
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const isTime = typeof field === "string" && /(?:^at|At)$/.test(name);
      return [name, isTime ? Date.parse(field) : renamed(field)];
    }),
  );
}
