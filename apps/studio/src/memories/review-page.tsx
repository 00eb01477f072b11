import { CircleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { announce } from "../ui/announce.tsx";
import { classNames } from "../ui/class-names.ts";
import { Button } from "../ui/controls/button.tsx";
import { browseMemories, memoryChanges, patchMemory, type StoredMemory, useRequest } from "./memory/memory-api.ts";
import { hasChangedWords, MemorySourceCard, useMemorySource } from "./memory/memory-source.tsx";
import { EditText, MemoryMeta, MemoryText, StateLine } from "./memory/memory-text.tsx";
import { useKeys } from "./memory/use-keys.ts";
import styles from "./page.module.css";

const QUEUE = 50;

const loadQueue = (signal: AbortSignal) => browseMemories({ review: "new", status: "current", limit: QUEUE }, signal);

/** New memories, one after the other: accept, edit or reject. */
export function ReviewPage({ total }: { readonly total: number | undefined }) {
  const { value, problem, reload } = useRequest("review", loadQueue);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const queue = value?.items.map(({ memory }) => memory) ?? [];
  // Skipped ones come again when the others are done.
  const current = queue.find(({ id }) => !skipped.has(id)) ?? queue[0];
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <div className={styles.head}>
          <h2>{copy.review.title}</h2>
          {value !== undefined && value.total > 0 && (
            <p className={styles.soft}>{copy.review.left(total ?? value.total)}</p>
          )}
        </div>
        <p className={styles.soft}>{copy.review.words}</p>
        {value === undefined && <StateLine problem={problem} onRetry={reload} />}
        {value !== undefined && current === undefined && <p>{copy.review.empty}</p>}
        {current !== undefined && (
          <ReviewCard
            key={current.id}
            memory={current}
            onSkip={() => {
              const others = queue.filter(({ id }) => id !== current.id && !skipped.has(id));
              setSkipped(others.length === 0 ? new Set([current.id]) : new Set([...skipped, current.id]));
            }}
          />
        )}
      </div>
    </div>
  );
}

function ReviewCard({ memory, onSkip }: { readonly memory: StoredMemory; readonly onSkip: () => void }) {
  const [isEditing, setEditing] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const { id, levels, pinned } = memory;
  const words = copy.review;
  const source = useMemorySource(id);
  const isDoubtful = hasChangedWords(source);
  useEffect(() => announce(levels.full), [levels.full]);
  const decide = (said: string, patch: Parameters<typeof patchMemory>[1]) => {
    if (isSaving) return;
    setSaving(true);
    const back = { reviewed: false, archived: false, text: levels.full, pinned };
    patchMemory(id, { ...patch, reviewed: true }).then(
      () => memoryChanges.report(said, () => patchMemory(id, back)),
      (error: unknown) => {
        setSaving(false);
        memoryChanges.fail(error);
      },
    );
  };
  const accept = () => decide(words.accepted, {});
  const reject = () => decide(words.rejected, { archived: true });
  useKeys({ a: accept, e: () => setEditing(true), r: reject, Delete: reject, s: onSkip });
  return (
    <>
      <section className={styles.card} aria-label={copy.kind[memory.kind]}>
        <MemoryMeta memory={memory} />
        {isEditing ? (
          <EditText
            label={copy.detail.editLabel}
            text={levels.full}
            onCancel={() => setEditing(false)}
            onSave={(text) => {
              setEditing(false);
              decide(words.edited, { text });
            }}
          />
        ) : (
          <>
            <MemoryText memory={memory} />
            {isDoubtful && (
              <p className={styles.warning} role="alert">
                <CircleAlert aria-hidden /> {words.doubtful}
              </p>
            )}
            <div className={classNames(styles.actions, styles.sticky)}>
              <Button
                kind={source.value === undefined || isDoubtful ? "plain" : "primary"}
                disabled={isSaving}
                onClick={accept}
              >
                {words.accept}
              </Button>
              <Button onClick={() => setEditing(true)}>{words.edit}</Button>
              <Button disabled={isSaving} onClick={reject}>
                {words.reject}
              </Button>
              <Button kind="quiet" onClick={onSkip}>
                {words.skip}
              </Button>
            </div>
            <p className={styles.keys}>{words.keys}</p>
          </>
        )}
      </section>
      <MemorySourceCard source={source} />
    </>
  );
}
