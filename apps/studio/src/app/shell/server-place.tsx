import { type ReactNode, useEffect, useState } from "react";
import { frameCopy } from "../../copy/frame.ts";
import { type Reach, reachServer } from "../../server/ask-server.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Mark } from "../../ui/mark.tsx";
import type { Place } from "../route.ts";
import { PlaceNav } from "./place-nav.tsx";
import styles from "./server-place.module.css";

/** A page with data of the server, or a notice if there is no server. */
export function ServerPlace({ place, children }: { readonly place: Place; readonly children: ReactNode }) {
  const [reach, setReach] = useState<Reach>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    let isHere = true;
    void reachServer().then((found) => isHere && setReach(found));
    return () => {
      isHere = false;
    };
  }, [attempt]);
  return (
    <div className={styles.place}>
      <header className={styles.header}>
        <span className={styles.brand}>
          <Mark /> <span>{frameCopy.name}</span>
        </span>
        <PlaceNav current={place} />
      </header>
      {reach === "ready" && children}
      {(reach === "no-server" || reach === "no-access") && (
        <main className={styles.none}>
          <h1>{frameCopy.server[reach].title}</h1>
          <p>{frameCopy.server[reach].words}</p>
          {reach === "no-server" && (
            <p>
              <code>{frameCopy.server.command}</code>
            </p>
          )}
          <Button onClick={() => setAttempt(attempt + 1)}>{frameCopy.server.retry}</Button>
        </main>
      )}
    </div>
  );
}
