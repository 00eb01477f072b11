import { useMemo } from "react";
import { useSnapshot } from "../ui/use-snapshot.ts";

/** The places of the Studio. */
const PLACES = ["chat", "sessions", "memories", "settings"] as const;

export type Place = (typeof PLACES)[number];

/** A place and what is open in it, as the address of the page says. */
export interface Route {
  readonly place: Place;
  /** Decoded segments after the place. */
  readonly path: readonly string[];
}

/** Reads `#/place/segment/…`. An unknown place is the chat. */
export function parseRoute(hash: string): Route {
  const [place, ...path] = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decode);
  const known = PLACES.find((one) => one === place);
  return known === undefined ? { place: "chat", path: [] } : { place: known, path: path.filter((one) => one !== "") };
}

/** The address of a place, for links. */
export function routeHref(place: Place, ...path: readonly (string | number)[]): string {
  return `#/${[place, ...path].map((one) => encodeURIComponent(one)).join("/")}`;
}

/** Opens a place. */
export function openRoute(place: Place, ...path: readonly (string | number)[]): void {
  location.hash = routeHref(place, ...path);
}

/** Opens a place without a step in the history of the browser. */
export function replaceRoute(place: Place, ...path: readonly (string | number)[]): void {
  location.replace(routeHref(place, ...path));
}

/** Follows the address of the page. */
export function useRoute(): Route {
  const hash = useSnapshot(HASH);
  return useMemo(() => parseRoute(hash), [hash]);
}

const HASH = {
  subscribe(listener: () => void) {
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  },
  getSnapshot: () => location.hash,
};

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
