import { useState } from "react";
import type { FactBook, MemoryFact } from "throughline/chat";
import { showFact } from "throughline/react";
import { chatCopy } from "../../../copy/chat.ts";
import { CategoryMark } from "../../../panel/cards/categories.tsx";
import { describeSource } from "../../../panel/cards/describe-source.ts";
import { tryTo } from "../../../panel/panel-toast.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Disclosure } from "../../../ui/controls/disclosure.tsx";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import type { ShownMessage, UsedMemory } from "../../chat-state.ts";
import styles from "./memory-notes.module.css";

const { memory: memoryCopy } = chatCopy;

interface MemoryNoteProps {
  readonly book: FactBook;
}

/** "Memory updated" at the message that caused it, with an undo. */
export function MemoryUpdated({ messageId, book }: MemoryNoteProps & { readonly messageId: string }) {
  const { facts, past } = useSnapshot(book);
  const learned = facts.filter((fact) => fact.lastSeenMessageId === messageId && fact.mentionCount === 1);
  if (learned.length === 0) return null;
  const before = new Map(past.map((fact) => [fact.id, fact]));
  return (
    <Disclosure
      className={styles.meta}
      summary={memoryCopy.updated}
      beside={
        <Button
          kind="link"
          aria-label={memoryCopy.undoUpdate}
          onClick={() => void tryTo(() => book.revert(learned.map(({ id }) => id)))}
        >
          {chatCopy.undo}
        </Button>
      }
    >
      <ul className={styles.facts}>
        {learned.map((fact) => (
          <li key={fact.id}>
            <bdi>{showFact(fact.fact)}</bdi>
            <Replaced fact={before.get(fact.updatesFactId ?? "")} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function Replaced({ fact }: { readonly fact: MemoryFact | undefined }) {
  if (fact === undefined) return null;
  return (
    <>
      {" "}
      <span className={styles.before}>
        ({memoryCopy.before} <bdi>{showFact(fact.fact)}</bdi>)
      </span>
    </>
  );
}

/** Memories that a message asked to forget, with an undo. */
export function Forgot({
  message: { forgot },
  book,
}: MemoryNoteProps & { readonly message: Pick<ShownMessage, "forgot"> }) {
  const { deleted } = useSnapshot(book);
  if (forgot === undefined) return null;
  const gone = forgot.filter(({ id }) => deleted.some((fact) => fact.id === id));
  if (gone.length === 0) return null;
  const restore = async () => {
    for (const { id } of gone) await book.bringBack(id);
  };
  return (
    <p className={styles.forgot}>
      {memoryCopy.forgot(gone.map(({ fact }) => `“${showFact(fact)}”`).join(", "))} ·{" "}
      <Button kind="link" aria-label={memoryCopy.undoForget} onClick={() => void tryTo(restore)}>
        {chatCopy.undo}
      </Button>
    </p>
  );
}

interface UsedMemoriesProps {
  readonly used: readonly UsedMemory[];
  readonly book: FactBook;
  readonly sources: MemorySources;
}

/** The memories that an answer used, each with its reason and source. */
export function UsedMemories({ used, book, sources }: UsedMemoriesProps) {
  return (
    <Disclosure className={styles.used} summary={memoryCopy.used(used.length)}>
      <ul className={styles.list}>
        {used.map((memory) => (
          <UsedOne key={memory.id} memory={memory} book={book} sources={sources} />
        ))}
      </ul>
    </Disclosure>
  );
}

function UsedOne({ memory, book, sources }: { readonly memory: UsedMemory } & Omit<UsedMemoriesProps, "used">) {
  const now = useSnapshot(book).facts.find((fact) => fact.id === memory.id);
  const fact = memory.fact ?? now;
  if (fact === undefined) {
    return (
      <li className={styles.one}>
        {memoryCopy.deleted} · {memory.reason}
      </li>
    );
  }
  return (
    <li className={styles.one} data-category={fact.category}>
      <p className={styles.fact}>
        <CategoryMark category={fact.category} />
        <bdi>{showFact(fact.fact)}</bdi>
      </p>
      {now === undefined && <p className={styles.detail}>{memoryCopy.deleted}</p>}
      {now !== undefined && now.fact !== fact.fact && (
        <p className={styles.detail}>{memoryCopy.now(showFact(now.fact))}</p>
      )}
      <Source fact={fact} reason={memory.reason} sources={sources} />
    </li>
  );
}

interface SourceProps {
  readonly fact: MemoryFact;
  readonly reason: string;
  readonly sources: MemorySources;
}

/** Reason and source of a memory, in one line. */
function Source({ fact, reason, sources }: SourceProps) {
  const [isGone, setGone] = useState(false);
  const { words, canJump } = describeSource(fact, sources.titles, Date.now());
  const { lastSeenConversationId: conversationId, lastSeenMessageId: messageId } = fact;
  const jump = async () => {
    setGone(!(await sources.jumpTo({ conversationId, ...(messageId !== undefined && { messageId }) })));
  };
  return (
    <p className={styles.detail}>
      {reason}
      {"\u00a0· "}
      <bdi>{words}</bdi>
      {canJump && !isGone && (
        <>
          {"\u00a0· "}
          <Button kind="link" onClick={jump}>
            {memoryCopy.viewSource}
          </Button>
        </>
      )}
      {isGone && <span role="status"> · {memoryCopy.sourceGone}</span>}
    </p>
  );
}

/** Sources of memories: titles of conversations, and how to open them. */
export interface MemorySources {
  /** By their ids and by those of their branches. */
  readonly titles: ReadonlyMap<string, string>;
  /** Returns `false` if it no longer exists. */
  jumpTo(source: { readonly conversationId: string; readonly messageId?: string }): Promise<boolean>;
}
