import { Search, X } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { openRoute, routeHref } from "../app/route.ts";
import { formatNumber } from "../copy/format.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { classNames } from "../ui/class-names.ts";
import { Button } from "../ui/controls/button.tsx";
import { IconButton } from "../ui/controls/icon-button.tsx";
import { Select, type SelectOption } from "../ui/controls/select.tsx";
import { NARROW, useMedia } from "../ui/use-snapshot.ts";
import styles from "./browse-page.module.css";
import {
  AGES,
  ALL,
  type BrowseFilters,
  hasFilter,
  KINDS,
  NO_FILTERS,
  readFilters,
  STATUSES,
  toQuery,
  writeFilters,
} from "./memory/filter-query.ts";
import { personName, projectName } from "./memory/format-age.ts";
import type { MemoryFacets } from "./memory/memory-api.ts";
import { MemoryDetail } from "./memory/memory-detail.tsx";
import { MemoryList } from "./memory/memory-list.tsx";
import { useKeys } from "./memory/use-keys.ts";
import pageStyles from "./page.module.css";

/** The last filters of the list, so that they stay while other views are open. */
let lastSearch = "";

/** The path of the list with filters, or of a memory beside it. */
function browsePath(openId: string | undefined, search: string): readonly string[] {
  return [...(openId === undefined && search === "" ? [] : [openId ?? "browse"]), ...(search === "" ? [] : [search])];
}

/** The address of the list with its last filters. */
export function browseHref(): string {
  return routeHref("memories", ...browsePath(undefined, lastSearch));
}

interface BrowsePageProps {
  readonly openId: string | undefined;
  /** Filters and search words of the address: `kind=fact&q=deploy`. */
  readonly search: string;
  readonly facets: MemoryFacets | undefined;
}

/** All memories with search and filters, and the open one beside them. */
export function BrowsePage({ openId, search, facets }: BrowsePageProps) {
  const isNarrow = useMedia(NARROW);
  const { filters, words: said } = useMemo(() => readFilters(search), [search]);
  const [words, setWords] = useState(said);
  useEffect(() => setWords(said), [said]);
  lastSearch = search;
  const field = useRef<HTMLInputElement>(null);
  const sought = useDeferredValue(words.trim());
  const query = useMemo(() => toQuery(filters, sought), [filters, sought]);
  useKeys({ "/": () => field.current?.focus() });
  const seek = (next: string, chosen: BrowseFilters = filters) => {
    setWords(next);
    location.replace(routeHref("memories", ...browsePath(openId, writeFilters(chosen, next))));
  };
  const open = (id: string, isMove: boolean) => {
    if (id === "" || (isMove && isNarrow)) return;
    // Moving through the list leaves no trail of pages to go back through.
    if (isMove) location.replace(routeHref("memories", ...browsePath(id, search)));
    else openRoute("memories", ...browsePath(id, search));
  };
  return (
    <div className={classNames(styles.browse, openId !== undefined && styles.isOpen)}>
      <section className={styles.side} aria-label={copy.list.label}>
        <div className={styles.search}>
          <Search aria-hidden />
          <input
            ref={field}
            type="search"
            dir="auto"
            aria-label={copy.search.label}
            placeholder={copy.search.label}
            value={words}
            onChange={(event) => seek(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Escape" && seek("")}
          />
          {words !== "" && (
            <IconButton size="small" label={copy.search.clear} icon={<X aria-hidden />} onClick={() => seek("")} />
          )}
        </div>
        <FilterBar
          filters={filters}
          facets={facets}
          isSearching={sought !== ""}
          onChange={(chosen) => seek(words, chosen)}
        />
        <MemoryList query={query} isFiltered={sought !== "" || hasFilter(filters)} openId={openId} onOpen={open} />
      </section>
      {openId === undefined ? (
        <p className={classNames(styles.none, pageStyles.soft)}>{hasMemories(facets) && copy.detail.none}</p>
      ) : (
        <MemoryDetail key={openId} id={openId} backHref={browseHref()} />
      )}
    </div>
  );
}

function hasMemories(facets: MemoryFacets | undefined): boolean {
  return facets === undefined || Object.values(facets.statuses).some((count) => count > 0);
}

/** Value for memories outside of projects. */
const PERSONAL = "";

interface FilterBarProps {
  readonly filters: BrowseFilters;
  readonly facets: MemoryFacets | undefined;
  readonly isSearching: boolean;
  readonly onChange: (filters: BrowseFilters) => void;
}

/** Narrows the list by kind, project, person, status and age. */
function FilterBar({ filters, facets, isSearching, onChange }: FilterBarProps) {
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
