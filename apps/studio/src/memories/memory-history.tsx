import { useState } from "react";
import { routeHref } from "../app/route.ts";
import { formatDay, formatTime } from "../chat/view/format.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { classNames } from "../ui/class-names.ts";
import { Disclosure } from "../ui/disclosure.tsx";
import { readHistory } from "./memory-api.ts";
import styles from "./memory-history.module.css";
import pageStyles from "./page.module.css";
import { StateLine } from "./state-line.tsx";
import { useRequest } from "./use-request.ts";

/** The texts of a memory over time, with those that it replaced. A date shows which one was valid then. */
export function MemoryHistoryCard({ id }: { readonly id: string }) {
  const [date, setDate] = useState("");
  // The end of that day, in the person's time zone.
  const asOf = date === "" ? undefined : new Date(`${date}T23:59:59`).toISOString();
  const { value, problem, reload } = useRequest(`history ${id} ${date}`, (signal) => readHistory(id, asOf, signal));
  const words = copy.history;
  return (
    <section className={pageStyles.card}>
      <div className={pageStyles.head}>
        <h3>{words.title}</h3>
        <label className={styles.asOf}>
          {words.asOf} <input type="date" value={date} onChange={(event) => setDate(event.currentTarget.value)} />
        </label>
      </div>
      {value === undefined && <StateLine problem={problem} onRetry={reload} />}
      {date !== "" && value?.versions.every((version) => !version.is_valid) && (
        <p className={pageStyles.soft}>{words.nothing}</p>
      )}
      <ol className={pageStyles.list}>
        {value?.versions.map((version) => (
          <li
            key={`${version.memory_id} ${version.from_at} ${version.text}`}
            className={classNames(styles.version, version.is_valid && styles.valid)}
          >
            <p className={pageStyles.meta}>
              <span>{words.from(formatDay(Date.parse(version.from_at)))}</span>
              {version.until_at !== undefined && <span>{words.until(formatDay(Date.parse(version.until_at)))}</span>}
              {version.is_valid && <strong>{date === "" ? words.now : words.valid}</strong>}
              {version.is_archived && <span>{copy.statuses.archived}</span>}
            </p>
            <p className={pageStyles.text} dir="auto">
              {version.memory_id === id ? (
                version.text
              ) : (
                <a className={pageStyles.link} href={routeHref("memories", version.memory_id)}>
                  {version.text}
                </a>
              )}
            </p>
          </li>
        ))}
      </ol>
      {(value?.changes.length ?? 0) > 0 && (
        <Disclosure summary={words.changes(value?.changes.length ?? 0)}>
          <ul className={styles.changes}>
            {value?.changes.map(({ journal_id, at, action }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one entry can change several memories
              <li key={`${journal_id} ${index}`}>
                {formatDay(Date.parse(at))}, {formatTime(Date.parse(at))}: {words.actions[action] ?? action}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </section>
  );
}
