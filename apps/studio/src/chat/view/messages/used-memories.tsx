import { useState } from "react";
import type { FactBook, MemoryFact } from "throughline/chat";
import { showFact } from "throughline/react";
import { chatCopy } from "../../../copy/chat.ts";
import { describeSource } from "../../../panel/describe-source.ts";
import { Button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import type { UsedMemory } from "../../chat.ts";
import { CategoryMark } from "../category-mark.tsx";
import type { MemorySources } from "./memory-sources.ts";
import styles from "./used-memories.module.css";

const { memory: copy } = chatCopy;

export interface UsedMemoriesProps {
  readonly used: readonly UsedMemory[];
  readonly book: FactBook;
  readonly sources: MemorySources;
}

/** The memories that an answer used, each with its reason and source. */
export function UsedMemories({ used, book, sources }: UsedMemoriesProps) {
  return (
    <Disclosure className={styles.used} summary={copy.used(used.length)}>
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
        {copy.deleted} · {memory.reason}
      </li>
    );
  }
  return (
    <li className={styles.one} data-category={fact.category}>
      <p className={styles.fact}>
        <CategoryMark category={fact.category} />
        <bdi>{showFact(fact.fact)}</bdi>
      </p>
      {now === undefined && <p className={styles.detail}>{copy.deleted}</p>}
      {now !== undefined && now.fact !== fact.fact && <p className={styles.detail}>{copy.now(showFact(now.fact))}</p>}
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
            {copy.viewSource}
          </Button>
        </>
      )}
      {isGone && <span role="status"> · {copy.sourceGone}</span>}
    </p>
  );
}
