import { formatNumber } from "../chat/view/format.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/button.tsx";
import { Select, type SelectOption } from "../ui/select.tsx";
import styles from "./filter-bar.module.css";
import { AGES, ALL, type BrowseFilters, hasFilter, KINDS, NO_FILTERS, STATUSES } from "./filter-query.ts";
import { personName, projectName } from "./format-age.ts";
import type { MemoryFacets } from "./memory-api.ts";

/** Value for memories outside of projects. */
const PERSONAL = "";

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
