import { type ReactNode, useState } from "react";
import type { NameEvidence, NamePlace, ReportedCompaction, SessionReport } from "throughline/internal/inspect";
import { callOf } from "./call-of.ts";
import { count, number, short } from "./copy.ts";
import styles from "./report-page.module.css";

interface NeededNamesProps {
  readonly report: SessionReport;
  readonly compaction: ReportedCompaction;
}

/** Names that the agent needed after a compaction, and the summaries that had them. */
export function NeededNames({ report, compaction }: NeededNamesProps) {
  const { review, lookups, alternative, summary, evidence } = compaction;
  // The first gone name shows its evidence.
  const [open, setOpen] = useState(evidence[0]?.name);
  if (review === undefined) return null;
  const needed = [...review.missing, ...review.keptNames];
  const gone = new Set(review.missing);
  const missingHere = new Set(alternative?.missing);
  const places = new Map(evidence.map((one) => [one.name, one]));
  const lookupTokens = tokensByTarget(lookups, report.meta.cwd);
  return (
    <section className={`${styles.box} ${styles.needed}`} aria-label="Needed afterwards">
      <h2>Needed afterwards</h2>
      {needed.length === 0 ? (
        <p
          className={styles.none}
        >{`Its next ${count(review.calls, "tool call")} used nothing from before by name.`}</p>
      ) : (
        <>
          <p className={`${styles.none} ${styles.fate}`}>
            <span className={styles.intro}>{`Used by its next ${count(review.calls, "tool call")}. `}</span>
            {alternative === undefined ? (
              <>
                <strong>Kept</strong>: the new window still has it.
              </>
            ) : (
              <>
                <strong>Agent</strong>: the summary the agent wrote. <strong>Throughline</strong>: a summary of the same
                size that Throughline would have written from the same messages.
              </>
            )}
          </p>
          <table className={styles.names}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">
                  {alternative === undefined ? "Kept" : "Agent"}{" "}
                  <small>{`${number(review.kept)} of ${number(review.needed)}`}</small>
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
          <h3>Looked up again</h3>
          <ul className={styles.lookups}>
            {lookups.map(({ toolName, target, message, tokens }) => (
              <li key={message + target}>
                <code>{breakable(`${toolName} ${relative(target, report.meta.cwd)}`)}</code>{" "}
                <small>{count(tokens, "token")}</small>
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
  const again = repeated === undefined ? "" : `looked up again: ${count(repeated, "token")}`;
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
              <Place
                title={`Last in message ${number(source.message + 1)}`}
                name={name}
                place={source}
                folder={folder}
              />
            )}
            {use !== undefined && (
              <Place
                title={`Used again by call ${number(callOf(report, use.message) + 1)}`}
                name={name}
                place={use}
                folder={folder}
              />
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

interface NameTextProps {
  readonly name: string;
  readonly about: string;
}

/** A name; of a path, the file name above its folder. */
function NameText({ name, about }: NameTextProps) {
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
