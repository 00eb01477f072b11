import { type ReactNode, useState } from "react";
import type { ReportedCompaction } from "throughline/internal";
import { count, number, short } from "./copy.ts";
import styles from "./report-page.module.css";

interface NeededNamesProps {
  readonly compaction: ReportedCompaction;
}

/** Names that the agent needed after a compaction, and the summaries that had them. */
export function NeededNames({ compaction }: NeededNamesProps) {
  const { review, lookups, alternative, summary } = compaction;
  if (review === undefined) return null;
  const needed = [...review.missing, ...review.keptNames];
  const gone = new Set(review.missing);
  const missingHere = new Set(alternative?.missing);
  return (
    <section className={styles.box} aria-label="Needed afterwards">
      <h2>Needed afterwards</h2>
      {needed.length === 0 ? (
        <p className={styles.none}>The next 40 calls used no names from before the compaction.</p>
      ) : (
        <table className={styles.names}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">
                Agent <small>{`${number(review.kept)} of ${number(review.needed)}`}</small>
              </th>
              {alternative !== undefined && (
                <th scope="col">
                  Throughline <small>{`${number(alternative.kept.length)} of ${number(review.needed)}`}</small>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {needed.map((name) => (
              <tr key={name}>
                <td>
                  <code>{breakable(name)}</code>
                </td>
                <td>{mark(!gone.has(name))}</td>
                {alternative !== undefined && <td>{mark(!missingHere.has(name))}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lookups.length > 0 && (
        <>
          <h3>Looked up again</h3>
          <ul className={styles.lookups}>
            {lookups.map(({ toolName, target, message, tokens }) => (
              <li key={message + target}>
                <code>{breakable(`${toolName} ${target}`)}</code> <small>{count(tokens, "token")}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      {summary !== undefined && <Summary title="The agent's summary" text={summary} />}
      {alternative !== undefined && (
        <Summary
          title={`Throughline's summary (${short(alternative.tokens)} tokens, no model)`}
          text={alternative.text}
        />
      )}
    </section>
  );
}

/** A path that breaks between its folders if it has to. */
function breakable(name: string): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name do not change
  return name.split(/(?<=[/\\])/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]));
}

function mark(isKept: boolean) {
  return isKept ? <span className={styles.kept}>kept</span> : <span className={styles.gone}>gone</span>;
}

function Summary({ title, text }: { readonly title: string; readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.summary} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <pre dir="auto">{text}</pre>}
    </details>
  );
}
