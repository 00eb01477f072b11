import type { SessionReport } from "throughline/internal";
import { LOSS_NAMES, number, short } from "./copy.ts";
import styles from "./report-page.module.css";

interface CacheBillProps {
  readonly report: SessionReport;
}

/** Tokens read from and written to the prompt cache, and where the prefix was lost. */
export function CacheBill({ report: { calls } }: CacheBillProps) {
  const used = calls.flatMap(({ cache }, call) => (cache === undefined ? [] : [{ ...cache, call }]));
  const total = (key: "read" | "written" | "uncached") => used.reduce((sum, one) => sum + one[key], 0);
  const losses = used.filter(({ lost }) => lost !== undefined);
  if (total("read") + total("written") === 0) return null;
  return (
    <section className={styles.box} aria-label="Prompt cache">
      <h2>Prompt cache</h2>
      <p>
        {`${short(total("read"))} tokens read, ${short(total("written"))} written, ${short(total("uncached"))} without cache.`}
      </p>
      <ul className={styles.lookups}>
        {losses.map(({ call, lost }) => (
          <li key={call}>
            {`Call ${number(call + 1)}: ${short(lost?.tokens ?? 0)} tokens paid again`}{" "}
            <small>{lost === undefined ? "" : LOSS_NAMES[lost.cause]}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
