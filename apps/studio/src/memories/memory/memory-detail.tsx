import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { routeHref } from "../../app/route.ts";
import { formatDay, formatTime } from "../../copy/format.ts";
import { memoriesCopy as copy } from "../../copy/memories.ts";
import { ServerProblem } from "../../server/ask-server.ts";
import { classNames } from "../../ui/class-names.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Disclosure } from "../../ui/controls/disclosure.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import pageStyles from "../page.module.css";
import { personName } from "./format-age.ts";
import { memoryChanges, patchMemory, readHistory, readMemory, type StoredMemory, useRequest } from "./memory-api.ts";
import styles from "./memory-detail.module.css";
import { MemorySourceCard, useMemorySource } from "./memory-source.tsx";
import { EditText, MemoryMeta, MemoryText, StateLine } from "./memory-text.tsx";
import { useKeys } from "./use-keys.ts";

/** One memory with its properties, source and history. */
export function MemoryDetail({ id, backHref }: { readonly id: string; readonly backHref: string }) {
  const {
    value: memory,
    problem,
    reload,
  } = useRequest(`memory ${id}`, (signal) =>
    readMemory(id, signal).catch((error: unknown) => {
      throw error instanceof ServerProblem && error.status === 404 ? new Error(copy.detail.missing) : error;
    }),
  );
  const source = useMemorySource(id);
  return (
    <article className={styles.detail} aria-label={copy.detail.title}>
      <VisuallyHidden>
        <h2>{copy.detail.title}</h2>
      </VisuallyHidden>
      <a className={styles.back} href={backHref}>
        <ArrowLeft aria-hidden /> {copy.detail.back}
      </a>
      {memory === undefined ? (
        <StateLine problem={problem} onRetry={reload} />
      ) : (
        <>
          <MemoryCard memory={memory} />
          <MemorySourceCard source={source} />
          <MemoryHistoryCard id={id} />
        </>
      )}
    </article>
  );
}

type Patch = Parameters<typeof patchMemory>[1];

/** Changes a memory, and offers to change it back. */
function change(memory: StoredMemory, words: string, patch: Patch, back: Patch): void {
  patchMemory(memory.id, { ...patch }).then(
    () => memoryChanges.report(words, () => patchMemory(memory.id, { ...back })),
    (error: unknown) => memoryChanges.fail(error),
  );
}

function MemoryCard({ memory }: { readonly memory: StoredMemory }) {
  const [isEditing, setEditing] = useState(false);
  const { pinned, archived_at: archived, reviewed_at: reviewed, by_hand: byHand, levels } = memory;
  const words = copy.detail;
  const pin = () => change(memory, words.saved, { pinned: !pinned }, { pinned });
  const archive = () =>
    archived === undefined
      ? change(memory, words.archived, { archived: true }, { archived: false, pinned })
      : change(memory, words.restored, { archived: false }, { archived: true });
  const isNew = !byHand && reviewed === undefined;
  const accept = () => change(memory, words.accepted, { reviewed: true }, { reviewed: false });
  useKeys({
    e: () => setEditing(true),
    p: archived === undefined ? pin : undefined,
    a: isNew ? accept : undefined,
    Delete: archive,
  });
  return (
    <section className={pageStyles.card}>
      <MemoryMeta memory={memory} />
      {isEditing ? (
        <EditText
          label={words.editLabel}
          text={levels.full}
          onCancel={() => setEditing(false)}
          onSave={(text) => {
            setEditing(false);
            change(memory, words.saved, { text }, { text: levels.full });
          }}
        />
      ) : (
        <>
          <MemoryText memory={memory} />
          <div className={pageStyles.actions}>
            {isNew && (
              <Button kind="primary" onClick={accept}>
                {words.accept}
              </Button>
            )}
            <Button onClick={() => setEditing(true)}>{words.edit}</Button>
            {archived === undefined && <Button onClick={pin}>{pinned ? words.unpin : words.pin}</Button>}
            <Button onClick={archive}>{archived === undefined ? words.archive : words.restore}</Button>
          </div>
          <p className={pageStyles.keys}>{words.keys(isNew)}</p>
        </>
      )}
      <Properties memory={memory} isNew={isNew} />
    </section>
  );
}

function Properties({ memory, isNew }: { readonly memory: StoredMemory; readonly isNew: boolean }) {
  const words = copy.detail;
  const day = (at: string) => formatDay(Date.parse(at));
  const review = memory.by_hand ? words.byHand : isNew ? words.notReviewed : words.reviewed;
  const properties: readonly (readonly [string, string | undefined])[] = [
    [words.lastSeen, day(memory.last_seen_at)],
    [words.validFrom, day(memory.valid_from)],
    [words.validTo, memory.valid_to && day(memory.valid_to)],
    [words.project, memory.project_id],
    [words.person, personName(memory.source.speaker ?? memory.owner, copy.filters.you)],
    [words.scope, words.scopes[memory.scope]],
    [words.subject, memory.subject],
    [words.aliases, memory.aliases.join(", ") || undefined],
    [words.mentions, words.mentionsCount(memory.mentions)],
    [words.uses, words.usesCount(memory.usage.retrieved)],
    [words.confidence, `${Math.round(memory.confidence * 100)}%`],
    [words.artifacts, memory.artifacts.map(({ ref }) => ref).join(", ") || undefined],
    [copy.sections.review, review],
  ];
  return (
    <dl className={styles.properties}>
      {properties.map(([name, value]) =>
        value === undefined ? undefined : (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** The texts of a memory over time, with those that it replaced. A date shows which one was valid then. */
function MemoryHistoryCard({ id }: { readonly id: string }) {
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
