import { Search, X } from "lucide-react";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { openRoute, routeHref } from "../app/route.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { classNames } from "../ui/class-names.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { NARROW, useMedia } from "../ui/use-media.ts";
import styles from "./browse-page.module.css";
import { type BrowseFilters, FilterBar, hasFilter, NO_FILTERS, toQuery } from "./filter-bar.tsx";
import type { MemoryFacets } from "./memory-api.ts";
import { MemoryDetail } from "./memory-detail.tsx";
import { MemoryList } from "./memory-list.tsx";
import pageStyles from "./page.module.css";
import { useKeys } from "./use-keys.ts";

/** Filters stay while other views are open. */
const kept: { filters: BrowseFilters; words: string } = { filters: NO_FILTERS, words: "" };

interface BrowsePageProps {
  readonly openId: string | undefined;
  readonly facets: MemoryFacets | undefined;
}

/** All memories with search and filters, and the open one beside them. */
export function BrowsePage({ openId, facets }: BrowsePageProps) {
  const isNarrow = useMedia(NARROW);
  const [filters, setFilters] = useState(kept.filters);
  const [words, setWords] = useState(kept.words);
  kept.filters = filters;
  kept.words = words;
  const field = useRef<HTMLInputElement>(null);
  const sought = useDeferredValue(words.trim());
  const query = useMemo(() => toQuery(filters, sought), [filters, sought]);
  useKeys({ "/": () => field.current?.focus() });
  const open = (id: string, isMove: boolean) => {
    if (id === "" || (isMove && isNarrow)) return;
    // Moving through the list leaves no trail of pages to go back through.
    if (isMove) location.replace(routeHref("memories", id));
    else openRoute("memories", id);
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
            onChange={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Escape" && setWords("")}
          />
          {words !== "" && (
            <IconButton size="small" label={copy.search.clear} icon={<X aria-hidden />} onClick={() => setWords("")} />
          )}
        </div>
        <FilterBar filters={filters} facets={facets} isSearching={sought !== ""} onChange={setFilters} />
        <MemoryList query={query} isFiltered={sought !== "" || hasFilter(filters)} openId={openId} onOpen={open} />
      </section>
      {openId === undefined ? (
        <p className={classNames(styles.none, pageStyles.soft)}>{copy.detail.none}</p>
      ) : (
        <MemoryDetail key={openId} id={openId} />
      )}
    </div>
  );
}
