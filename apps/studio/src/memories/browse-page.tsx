import { Search, X } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { openRoute, routeHref } from "../app/route.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { classNames } from "../ui/class-names.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { NARROW, useMedia } from "../ui/use-media.ts";
import styles from "./browse-page.module.css";
import { FilterBar } from "./filter-bar.tsx";
import { type BrowseFilters, hasFilter, readFilters, toQuery, writeFilters } from "./filter-query.ts";
import type { MemoryFacets } from "./memory-api.ts";
import { MemoryDetail } from "./memory-detail.tsx";
import { MemoryList } from "./memory-list.tsx";
import pageStyles from "./page.module.css";
import { useKeys } from "./use-keys.ts";

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
