import { frameCopy } from "../../copy/frame.ts";
import { type Place, routeHref } from "../route.ts";
import styles from "./place-nav.module.css";

interface PlaceNavProps {
  readonly current: Place;
  /** Called after a link was followed, for example to close a drawer. */
  readonly onLeave?: () => void;
}

/** Links to the pages of the Studio. */
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
