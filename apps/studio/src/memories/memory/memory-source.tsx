import { CircleAlert, CircleCheck } from "lucide-react";
import { routeHref } from "../../app/route.ts";
import { formatDay } from "../../copy/format.ts";
import { memoriesCopy as copy } from "../../copy/memories.ts";
import { classNames } from "../../ui/class-names.ts";
import pageStyles from "../page.module.css";
import { personName } from "./format-age.ts";
import { type MemoryEvidence, readEvidence, useRequest } from "./memory-api.ts";
import styles from "./memory-source.module.css";
import { StateLine } from "./memory-text.tsx";

type MemorySource = ReturnType<typeof useMemorySource>;

/** Reads the messages that a memory comes from. */
export function useMemorySource(id: string) {
  return useRequest(`evidence ${id}`, (signal) => readEvidence(id, signal));
}

/** True if words that a memory quotes are missing from their message. */
export function hasChangedWords({ value }: MemorySource): boolean {
  return value?.items.some(({ is_verbatim: isVerbatim }) => isVerbatim === false) ?? false;
}

/** The messages that a memory comes from, with the quoted words marked. */
export function MemorySourceCard({ source: { value, problem, reload } }: { readonly source: MemorySource }) {
  return (
    <section className={pageStyles.card}>
      <h3>{copy.source.title}</h3>
      {value === undefined && <StateLine problem={problem} onRetry={reload} />}
      {value?.items.length === 0 && <p className={pageStyles.soft}>{copy.source.none}</p>}
      <ul className={pageStyles.list}>
        {value?.items.map((evidence) => (
          <li key={`${evidence.session_id} ${evidence.message_id}`}>
            <Evidence evidence={evidence} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Evidence({ evidence }: { readonly evidence: MemoryEvidence }) {
  const { message, match, is_verbatim: isVerbatim, quote, speaker, at, session_id: session } = evidence;
  return (
    <>
      <p className={pageStyles.meta}>
        <span>{personName(speaker ?? message?.role ?? "", copy.filters.you)}</span>
        {at !== undefined && <time dateTime={at}>{formatDay(Date.parse(at))}</time>}
        {session !== undefined && (
          <a className={pageStyles.link} href={routeHref("sessions", session)}>
            {copy.source.session} {session.slice(0, 8)}
          </a>
        )}
      </p>
      {isVerbatim === false && quote !== undefined && (
        <blockquote className={styles.quote} dir="auto">
          {quote}
        </blockquote>
      )}
      {message !== undefined && (
        <p className={styles.message} dir="auto">
          {match === undefined ? (
            message.text
          ) : (
            <>
              {message.text.slice(0, match.start)}
              <mark>{message.text.slice(match.start, match.end)}</mark>
              {message.text.slice(match.end)}
            </>
          )}
        </p>
      )}
      <Finding evidence={evidence} />
      {message?.is_cut === true && <p className={pageStyles.soft}>{copy.source.cut}</p>}
    </>
  );
}

function Finding({ evidence: { message, is_verbatim: isVerbatim, quote } }: { readonly evidence: MemoryEvidence }) {
  if (message === undefined) {
    return (
      <p className={pageStyles.soft}>
        {quote !== undefined && `“${quote}” `}
        {copy.source.notStored}
      </p>
    );
  }
  if (isVerbatim === undefined) return undefined;
  return (
    <p className={classNames(styles.finding, !isVerbatim && styles.changed)}>
      {isVerbatim ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
      {isVerbatim ? copy.source.verbatim : copy.source.changed}
    </p>
  );
}
