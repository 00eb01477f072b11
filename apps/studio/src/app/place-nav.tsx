import { frameCopy } from "../copy/frame.ts";
import styles from "./place-nav.module.css";
import { type Place, routeHref } from "./route.ts";

interface PlaceNavProps {
  readonly current: Place;
  /** Called when a link was followed: a drawer may close. */
  readonly onLeave?: () => void;
}

/** Links to the places of the Studio. */
export function PlaceNav({ current, onLeave }: PlaceNavProps) {
  return (
    <nav className={styles.nav} aria-label={frameCopy.places.label}>
      {(["chat", "sessions", "memories"] as const).map((place) => (
        <a
          key={place}
          href={routeHref(place)}
          aria-current={place === current ? "page" : undefined}
          onClick={() => onLeave?.()}
        >
          {frameCopy.places[place]}
        </a>
      ))}
    </nav>
  );
}
