import { DAY } from "throughline/internal/util";
import type { MemoryKind, MemoryStatus, Query } from "./memory-api.ts";

export const KINDS = ["fact", "episode", "pattern", "workflow"] as const satisfies readonly MemoryKind[];
export const STATUSES = ["current", "ended", "archived"] as const satisfies readonly MemoryStatus[];
export const AGES = ["day", "week", "month", "older"] as const;
const DAYS: Readonly<Record<(typeof AGES)[number], number>> = { day: 1, week: 7, month: 30, older: 90 };
/** Value for no condition. */
export const ALL = "*";

export interface BrowseFilters {
  readonly kind: MemoryKind | typeof ALL;
  readonly project: string;
  readonly person: string;
  readonly status: MemoryStatus | typeof ALL;
  readonly age: (typeof AGES)[number] | typeof ALL;
}

export const NO_FILTERS: BrowseFilters = { kind: ALL, project: ALL, person: ALL, status: "current", age: ALL };

export function hasFilter(filters: BrowseFilters): boolean {
  return writeFilters(filters, "") !== "";
}

/** Filters and search words as a part of the address: `kind=fact&q=deploy`. Empty without both. */
export function writeFilters(filters: BrowseFilters, words: string): string {
  const params = new URLSearchParams();
  for (const name of Object.keys(NO_FILTERS) as (keyof BrowseFilters)[]) {
    if (filters[name] !== NO_FILTERS[name]) params.set(name, filters[name]);
  }
  if (words !== "") params.set("q", words);
  return params.toString();
}

/** Reads `writeFilters`. Unknown values are left out. */
export function readFilters(address: string): { readonly filters: BrowseFilters; readonly words: string } {
  const params = new URLSearchParams(address);
  const one = <T extends string>(name: string, values: readonly T[], otherwise: T): T =>
    values.find((value) => value === params.get(name)) ?? otherwise;
  return {
    filters: {
      kind: one("kind", [ALL, ...KINDS], NO_FILTERS.kind),
      project: params.get("project") ?? NO_FILTERS.project,
      person: params.get("person") ?? NO_FILTERS.person,
      status: one("status", [ALL, ...STATUSES], NO_FILTERS.status),
      age: one("age", [ALL, ...AGES], NO_FILTERS.age),
    },
    words: params.get("q") ?? "",
  };
}

/** The query of a page. Ages are rounded to the minute, so that the same filters ask the same question. */
export function toQuery({ kind, project, person, status, age }: BrowseFilters, words: string): Query {
  const given = (value: string) => (value === ALL ? undefined : value);
  const border = age === ALL ? undefined : new Date(Math.floor(Date.now() / 60_000) * 60_000 - DAYS[age] * DAY);
  return JSON.parse(
    JSON.stringify({
      query: words === "" ? undefined : words,
      kind: given(kind),
      project_id: given(project),
      person: given(person),
      status: words === "" ? given(status) : undefined,
      since: age === "older" ? undefined : border,
      before: age === "older" ? border : undefined,
    }),
  );
}
