import type { SessionReport } from "throughline/internal/inspect";
import { number } from "./copy.ts";
import styles from "./report-page.module.css";

interface RuleStripProps {
  readonly report: SessionReport;
}

/** Each standing rule of the user, and the calls that had it in their window. */
export function RuleStrip({ report: { rules, calls, compactions } }: RuleStripProps) {
  const width = Math.max(1, calls.length);
  return (
    <section className={styles.box} aria-label="Rules">
      <h2>Your rules</h2>
      {rules.length === 0 && <p className={styles.none}>No standing rules were found in this session.</p>}
      {rules.length > 0 && (
        <p className={styles.none}>
          {`Calls 1–${number(calls.length)}: `}
          <Key swatch={styles.inWindow}>in the window,</Key> <Key swatch={styles.missing}>missing,</Key>{" "}
          <Key swatch={styles.notGiven}>not given yet.</Key>
        </p>
      )}
      <ul className={styles.rules}>
        {rules.map(({ text, message, present, missingFrom, repeatedAt }) => (
          <li key={message + text}>
            <q dir="auto">{text}</q>
            <div className={styles.strip} aria-hidden="true">
              <i
                className={styles.notYet}
                style={{ width: `${(100 * (present[0]?.[0] ?? missingFrom ?? 0)) / width}%` }}
              />
              {present.map(([first, last]) => (
                <i
                  key={first}
                  style={{ left: `${(100 * first) / width}%`, width: `${(100 * (last - first + 1)) / width}%` }}
                />
              ))}
            </div>
            <small>
              {missingFrom === undefined
                ? "In every window since you gave it."
                : describeLoss(missingFrom, compactions, repeatedAt !== undefined)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A colour with its meaning. */
function Key({ swatch, children }: { readonly swatch: string | undefined; readonly children: string }) {
  return (
    <span className={styles.key}>
      <i className={swatch} /> {children}
    </span>
  );
}

function describeLoss(missingFrom: number, compactions: SessionReport["compactions"], isRepeated: boolean): string {
  const at = compactions.findIndex(({ call }) => call === missingFrom);
  const name = compactions.length === 1 ? "the compaction" : `compaction ${number(at + 1)}`;
  const cause = at < 0 ? "" : `, because ${name} dropped it`;
  return `Missing from call ${number(missingFrom + 1)} on${isRepeated ? ", until you gave it again" : ""}${cause}.`;
}
