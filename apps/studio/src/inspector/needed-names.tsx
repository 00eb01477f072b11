import { type ReactNode, useState } from "react";
import type { NameEvidence, NamePlace, ReportedCompaction, SessionReport } from "throughline/internal/inspect";
import { inspectorCopy } from "../copy/inspector.ts";
import styles from "./report-page.module.css";
import { callOf } from "./window-chart.tsx";

const { needed: copy } = inspectorCopy;

interface NeededNamesProps {
  readonly report: SessionReport;
  readonly compaction: ReportedCompaction;
}

/** Names that the agent needed after a compaction, and the summaries that had them. */
export function NeededNames({ report, compaction }: NeededNamesProps) {
  const { review, lookups, alternative, summary, evidence } = compaction;
  // The first lost name shows its evidence.
  const [open, setOpen] = useState(evidence[0]?.name);
  if (review === undefined) return null;
  const needed = [...review.missing, ...review.keptNames];
  const gone = new Set(review.missing);
  const missingHere = new Set(alternative?.missing);
  const places = new Map(evidence.map((one) => [one.name, one]));
  const lookupTokens = tokensByTarget(lookups, report.meta.cwd);
  return (
    <section className={`${styles.box} ${styles.needed}`} aria-label={copy.title}>
      <h2>{copy.title}</h2>
      {needed.length === 0 ? (
        <p className={styles.none}>{copy.none(review.calls)}</p>
      ) : (
        <>
          <p className={`${styles.none} ${styles.fate}`}>
            <span className={styles.intro}>{copy.usedBy(review.calls)}</span>
            {alternative === undefined ? (
              <>
                <strong>{copy.kept}</strong>
                {copy.keptMeans}
              </>
            ) : (
              <>
                <strong>{copy.agent}</strong>
                {copy.agentMeans}
                <strong>{copy.throughline}</strong>
                {copy.throughlineMeans}
              </>
            )}
          </p>
          <table className={styles.names}>
            <thead>
              <tr>
                <th scope="col">{copy.name}</th>
                <th scope="col">
                  {alternative === undefined ? copy.kept : copy.agent}{" "}
                  <small>{copy.share(review.kept, review.needed)}</small>
                </th>
                {alternative !== undefined && (
                  <th scope="col">
                    {copy.throughline} <small>{copy.share(alternative.kept.length, review.needed)}</small>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {needed.map((name) => (
                <NameRows
                  key={name}
                  report={report}
                  name={name}
                  evidence={places.get(name)}
                  repeated={lookupTokens.get(name)}
                  isOpen={open === name}
                  onToggle={() => setOpen(open === name ? undefined : name)}
                >
                  <td>{mark(!gone.has(name))}</td>
                  {alternative !== undefined && <td>{mark(!missingHere.has(name))}</td>}
                </NameRows>
              ))}
            </tbody>
          </table>
        </>
      )}
      {lookups.length > 0 && (
        <>
          <h3>{copy.lookups}</h3>
          <ul className={styles.lookups}>
            {lookups.map(({ toolName, target, message, tokens }) => (
              <li key={message + target}>
                <code>{breakable(`${toolName} ${relative(target, report.meta.cwd)}`)}</code>{" "}
                <small>{inspectorCopy.token(tokens)}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      {summary !== undefined && <Summary title={copy.agentSummary} text={summary} />}
      {alternative !== undefined && <Summary title={copy.ownSummary(alternative.tokens)} text={alternative.text} />}
    </section>
  );
}

interface NameRowsProps {
  readonly report: SessionReport;
  readonly name: string;
  readonly evidence: NameEvidence | undefined;
  /** Tokens of the lookups that were made again for it. */
  readonly repeated: number | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A name and, if it is open, the words around it before the compaction and in the call that needed it. */
function NameRows({ report, name, evidence, repeated, isOpen, onToggle, children }: NameRowsProps) {
  const again = repeated === undefined ? "" : copy.lookedUp(repeated);
  const words = <NameText name={name} about={again} />;
  const { source, use } = evidence ?? {};
  const folder = report.meta.cwd;
  return (
    <>
      <tr>
        <td>
          {evidence === undefined ? (
            words
          ) : (
            <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={onToggle}>
              {words}
            </button>
          )}
        </td>
        {children}
      </tr>
      {isOpen && evidence !== undefined && (
        <tr>
          <td className={styles.evidence} colSpan={3}>
            {source !== undefined && (
              <Place title={copy.source(source.message)} name={name} place={source} folder={folder} />
            )}
            {use !== undefined && (
              <Place title={copy.use(callOf(report, use.message))} name={name} place={use} folder={folder} />
            )}
          </td>
        </tr>
      )}
    </>
  );
}

interface PlaceProps {
  readonly title: string;
  readonly name: string;
  readonly place: NamePlace;
  /** Working folder of the session, which is left out of paths. */
  readonly folder: string | undefined;
}

function Place({ title, name, place, folder }: PlaceProps) {
  const [before = "", ...after] = relative(place.text, folder).split(name);
  return (
    <>
      <small>{title}</small>
      <p dir="auto">
        {before}
        {after.length > 0 && <mark>{breakable(name)}</mark>}
        {after.join(name)}
      </p>
    </>
  );
}

/** Tokens of repeated lookups by file, as paths relative to the working folder. */
function tokensByTarget(
  lookups: ReportedCompaction["lookups"],
  folder: string | undefined,
): ReadonlyMap<string, number> {
  const byTarget = Map.groupBy(lookups, ({ target }) => relative(target, folder));
  return new Map([...byTarget].map(([target, own]) => [target, own.reduce((sum, { tokens }) => sum + tokens, 0)]));
}

function relative(text: string, folder: string | undefined): string {
  return folder === undefined ? text : text.replaceAll(`${folder}/`, "").replaceAll(`${folder}\\`, "");
}

/** A name; of a path, the file name above its folder. */
function NameText({ name, about }: { readonly name: string; readonly about: string }) {
  const { folder = "", file = name } = /^(?<folder>[^\s:]*[/\\])(?<file>[^\s/\\]+)$/.exec(name)?.groups ?? {};
  return (
    <>
      <code>{breakable(file)}</code>
      {folder + about !== "" && (
        <small>
          {breakable(folder)}
          {folder !== "" && about !== "" && " · "}
          {about}
        </small>
      )}
    </>
  );
}

/** Ends of folders, and of words in a name. */
const BREAKS = /(?<=[/\\_.-])|(?<=[a-z])(?=[A-Z])/;

/** Text that breaks between the words of paths and names if it has to. */
function breakable(name: string): ReactNode {
  const parts = name.split(BREAKS);
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name do not change
  return parts.flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]));
}

function mark(isKept: boolean) {
  return isKept ? (
    <span className={styles.kept}>{copy.marks.kept}</span>
  ) : (
    <span className={styles.gone}>{copy.marks.gone}</span>
  );
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
