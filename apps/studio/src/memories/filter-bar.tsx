import { formatNumber } from "../chat/view/format.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/button.tsx";
import { Select, type SelectOption } from "../ui/select.tsx";
import styles from "./filter-bar.module.css";
import { personName, projectName } from "./format-age.ts";
import type { MemoryFacets, MemoryKind, MemoryStatus, Query } from "./memory-api.ts";

const KINDS = ["fact", "episode", "pattern", "workflow"] as const satisfies readonly MemoryKind[];
const STATUSES = ["current", "ended", "archived"] as const satisfies readonly MemoryStatus[];
const AGES = ["day", "week", "month", "older"] as const;
const DAY = 86_400_000;
const DAYS: Readonly<Record<(typeof AGES)[number], number>> = { day: 1, week: 7, month: 30, older: 90 };
const ALL = "*";
/** Stands for memories outside of projects. */
const PERSONAL = "";

export interface BrowseFilters {
  readonly kind: MemoryKind | typeof ALL;
  readonly project: string;
  readonly person: string;
  readonly status: MemoryStatus | typeof ALL;
  readonly age: (typeof AGES)[number] | typeof ALL;
}

export const NO_FILTERS: BrowseFilters = { kind: ALL, project: ALL, person: ALL, status: "current", age: ALL };

export function hasFilter(filters: BrowseFilters): boolean {
  return JSON.stringify(filters) !== JSON.stringify(NO_FILTERS);
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

interface FilterBarProps {
  readonly filters: BrowseFilters;
  readonly facets: MemoryFacets | undefined;
  readonly isSearching: boolean;
  readonly onChange: (filters: BrowseFilters) => void;
}

/** Narrows the list by kind, project, person, status and age. */
export function FilterBar({ filters, facets, isSearching, onChange }: FilterBarProps) {
  const names = copy.filters;
  const { projects = [], people = [] } = facets ?? {};
  return (
    <fieldset className={styles.filters}>
      <legend>{names.label}</legend>
      <Select
        label={names.kind}
        value={filters.kind}
        options={[
          { value: ALL, label: names.allKinds },
          ...KINDS.map((kind) => option(kind, copy.kinds[kind], facets?.kinds[kind])),
        ]}
        onChange={(kind) => onChange({ ...filters, kind })}
      />
      {projects.length > 1 && (
        <Select
          label={names.project}
          value={filters.project}
          options={[
            { value: ALL, label: names.allProjects },
            ...projects.map(({ id = PERSONAL, count }) =>
              option(id, id === PERSONAL ? names.noProject : shortestName(id, projects), count),
            ),
          ]}
          onChange={(project) => onChange({ ...filters, project })}
        />
      )}
      {people.length > 1 && (
        <Select
          label={names.person}
          value={filters.person}
          options={[
            { value: ALL, label: names.everyone },
            ...people.slice(0, 100).map(({ name, count }) => option(name, personName(name, names.you), count)),
          ]}
          onChange={(person) => onChange({ ...filters, person })}
        />
      )}
      {!isSearching && (
        <Select
          label={names.status}
          value={filters.status}
          options={[
            { value: ALL, label: names.allStatuses },
            ...STATUSES.map((status) => option(status, copy.statuses[status], facets?.statuses[status])),
          ]}
          onChange={(status) => onChange({ ...filters, status })}
        />
      )}
      <Select
        label={names.age}
        value={filters.age}
        options={[{ value: ALL, label: names.anyAge }, ...AGES.map((age) => option(age, copy.ages[age]))]}
        onChange={(age) => onChange({ ...filters, age })}
      />
      {hasFilter(filters) && (
        <Button kind="quiet" onClick={() => onChange(NO_FILTERS)}>
          {names.reset}
        </Button>
      )}
    </fieldset>
  );
}

function option<Value extends string>(value: Value, name: string, count?: number): SelectOption<Value> {
  return { value, label: count === undefined ? name : `${name} (${formatNumber(count)})` };
}

/** The short name of a project, or its path if another project has the same name. */
function shortestName(id: string, projects: MemoryFacets["projects"]): string {
  const name = projectName(id);
  return projects.filter((one) => one.id !== undefined && projectName(one.id) === name).length > 1 ? id : name;
}
