import { useEffect, useState } from "react";
import type { SearchHit } from "../../../app/search-conversations.ts";
import type { Studio } from "../../../app/studio.ts";
import { frameCopy } from "../../../copy/frame.ts";
import styles from "./search-chats.module.css";

/** Time after the last key before it is searched, in milliseconds. */
const PAUSE = 150;

export interface ChatSearch {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  /** Search results; `undefined` if the query is empty. */
  readonly hits: readonly SearchHit[] | undefined;
}

/** Searches conversations while the person types. */
export function useSearch(studio: Pick<Studio, "search">): ChatSearch {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<{ readonly query: string; readonly hits: readonly SearchHit[] }>();
  useEffect(() => {
    if (query.trim() === "") return;
    let isStale = false;
    const timer = setTimeout(async () => {
      const hits = await studio.search(query);
      if (!isStale) setFound({ query, hits });
    }, PAUSE);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [studio, query]);
  return { query, setQuery, hits: query.trim() === "" ? undefined : (found?.hits ?? []) };
}

interface SearchResultsProps {
  readonly search: ChatSearch;
  readonly onOpen: (hit: SearchHit) => void;
}

export function SearchResults({ search: { query, hits }, onOpen }: SearchResultsProps) {
  if (hits === undefined) return null;
  if (hits.length === 0) {
    return (
      <p className={styles.none} role="status">
        {frameCopy.noMatches(query.trim())}
      </p>
    );
  }
  return (
    <ul className={styles.hits} aria-label={frameCopy.searchResults}>
      {hits.map((hit) => (
        <li key={hit.conversationId}>
          <button type="button" className={styles.hit} onClick={() => onOpen(hit)}>
            <bdi>{hit.title}</bdi>
            {hit.snippet !== undefined && <bdi className={styles.snippet}>{hit.snippet}</bdi>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Opens a conversation at the message that was found. */
export async function openHit(
  studio: Pick<Studio, "open" | "jumpTo">,
  { conversationId, messageId }: SearchHit,
): Promise<void> {
  if (messageId === undefined) await studio.open(conversationId);
  else await studio.jumpTo({ conversationId, messageId });
}
