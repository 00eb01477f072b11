import { useMemo } from "react";
import { useSnapshot } from "../ui/use-snapshot.ts";

/** The places of the Studio. */
const PLACES = ["chat", "sessions", "memories", "settings"] as const;

export type Place = (typeof PLACES)[number];

/** The page and its open item, parsed from the address. */
export interface Route {
  readonly place: Place;
  /** Decoded segments after the page. */
  readonly path: readonly string[];
}

/** Parses `#/place/segment/…`. An unknown page is the chat. */
export function parseRoute(hash: string): Route {
  const [place, ...path] = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decode);
  const known = PLACES.find((one) => one === place);
  return known === undefined ? { place: "chat", path: [] } : { place: known, path: path.filter((one) => one !== "") };
}

/** Address of a page, for links. */
export function routeHref(place: Place, ...path: readonly (string | number)[]): string {
  return `#/${[place, ...path].map((one) => encodeURIComponent(one)).join("/")}`;
}

/** Opens a page. */
export function openRoute(place: Place, ...path: readonly (string | number)[]): void {
  location.hash = routeHref(place, ...path);
}

/** Opens a page without a new entry in the browser's history. */
export function replaceRoute(place: Place, ...path: readonly (string | number)[]): void {
  location.replace(routeHref(place, ...path));
}

const HASH = {
  subscribe(listener: () => void) {
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  },
  getSnapshot: () => location.hash,
};

/** Follows the address of the page. */
export function useRoute(): Route {
  const hash = useSnapshot(HASH);
  return useMemo(() => parseRoute(hash), [hash]);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
