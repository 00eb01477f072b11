import { Brain, History, MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { frameCopy } from "../copy/frame.ts";
import styles from "./place-nav.module.css";
import { type Place, routeHref } from "./route.ts";

const ENTRIES: readonly { readonly place: Exclude<Place, "settings">; readonly icon: ReactNode }[] = [
  { place: "chat", icon: <MessageSquare aria-hidden /> },
  { place: "sessions", icon: <History aria-hidden /> },
  { place: "memories", icon: <Brain aria-hidden /> },
];

interface PlaceNavProps {
  readonly current: Place;
  /** Called when a link was followed: a drawer may close. */
  readonly onLeave?: () => void;
}

/** Links to the places of the Studio. */
export function PlaceNav({ current, onLeave }: PlaceNavProps) {
  return (
    <nav className={styles.nav} aria-label={frameCopy.places.label}>
      {ENTRIES.map(({ place, icon }) => (
        <a
          key={place}
          href={routeHref(place)}
          aria-current={place === current ? "page" : undefined}
          onClick={() => onLeave?.()}
        >
          {icon} {frameCopy.places[place]}
        </a>
      ))}
    </nav>
  );
}
