import { useState } from "react";
import type { FactBook, MemoryFact } from "throughline/chat";
import { showFact } from "throughline/react";
import { describeSource } from "../../../panel/describe-source.ts";
import { Button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import type { UsedMemory } from "../../chat.ts";
import { CategoryMark } from "../category-mark.tsx";
import { formatCount } from "../format.ts";
import type { MemorySources } from "./memory-sources.ts";
import styles from "./used-memories.module.css";

export interface UsedMemoriesProps {
  readonly used: readonly UsedMemory[];
  readonly book: FactBook;
  readonly sources: MemorySources;
}

/** Under an answer: which memories were in the window, and why. */
export function UsedMemories({ used, book, sources }: UsedMemoriesProps) {
  return (
    <Disclosure className={styles.used} summary={`Used ${formatCount(used.length, "memory", "memories")}`}>
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
    return <li className={styles.one}>Since deleted · {memory.reason}</li>;
  }
  return (
    <li className={styles.one} data-category={fact.category}>
      <p className={styles.fact}>
        <CategoryMark category={fact.category} />
        <bdi>{showFact(fact.fact)}</bdi>
      </p>
      {now === undefined && <p className={styles.detail}>Since deleted</p>}
      {now !== undefined && now.fact !== fact.fact && <p className={styles.detail}>Now: {showFact(now.fact)}</p>}
      <p className={styles.detail}>{memory.reason}</p>
      <Source fact={fact} sources={sources} />
    </li>
  );
}

function Source({ fact, sources }: { readonly fact: MemoryFact; readonly sources: MemorySources }) {
  const [isGone, setGone] = useState(false);
  const { words, canJump } = describeSource(fact, sources.titles, Date.now());
  const { lastSeenConversationId: conversationId, lastSeenMessageId: messageId } = fact;
  const jump = async () => {
    setGone(!(await sources.jumpTo({ conversationId, ...(messageId !== undefined && { messageId }) })));
  };
  return (
    <p className={styles.detail}>
      {words}
      {canJump && !isGone && (
        <>
          {" · "}
          <Button kind="link" onClick={jump}>
            View source
          </Button>
        </>
      )}
      {isGone && <span role="status"> · This message no longer exists</span>}
    </p>
  );
}
