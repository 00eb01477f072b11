import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { formatDay } from "../chat/view/format.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { ServerProblem } from "../server/ask-server.ts";
import { Button } from "../ui/button.tsx";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import { EditText } from "./edit-text.tsx";
import { personName } from "./format-age.ts";
import { patchMemory, readMemory, type StoredMemory } from "./memory-api.ts";
import { memoryChanges } from "./memory-changes.ts";
import styles from "./memory-detail.module.css";
import { MemoryHistoryCard } from "./memory-history.tsx";
import { MemorySourceCard, useMemorySource } from "./memory-source.tsx";
import { MemoryMeta, MemoryText } from "./memory-text.tsx";
import pageStyles from "./page.module.css";
import { StateLine } from "./state-line.tsx";
import { useKeys } from "./use-keys.ts";
import { useRequest } from "./use-request.ts";

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
