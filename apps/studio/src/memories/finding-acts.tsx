import { useState } from "react";
import { routeHref } from "../app/route.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/button.tsx";
import styles from "./audit-page.module.css";
import { eraseMemory, patchMemory } from "./memory-api.ts";
import { memoryChanges } from "./memory-changes.ts";

interface FindingActsProps {
  /** Id of the memory. */
  readonly id: string;
  /** True if the memory has a secret: an archived memory would still have it, so it can be deleted. */
  readonly isSecret: boolean;
}

/** Acts on a memory of a finding: open, archive, and delete for a secret. */
export function FindingActs({ id, isSecret }: FindingActsProps) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const act = (change: Promise<unknown>, said: string, undo?: () => Promise<unknown>) => {
    setBusy(true);
    change
      .then(() => memoryChanges.report(said, undo), memoryChanges.fail.bind(memoryChanges))
      .finally(() => setBusy(false));
  };
  const words = copy.audit;
  if (isAsking) {
    return (
      <div className={styles.acts}>
        <Button
          kind="danger"
          disabled={isBusy}
          onClick={() => {
            setAsking(false);
            act(eraseMemory(id), words.deleted);
          }}
        >
          {words.deleteForGood}
        </Button>
        <Button kind="quiet" onClick={() => setAsking(false)}>
          {words.cancel}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.acts}>
      {isSecret && (
        <Button kind="danger" disabled={isBusy} onClick={() => setAsking(true)}>
          {words.delete}
        </Button>
      )}
      <Button
        disabled={isBusy}
        onClick={() =>
          act(patchMemory(id, { archived: true }), copy.detail.archived, () => patchMemory(id, { archived: false }))
        }
      >
        {copy.detail.archive}
      </Button>
      <a className={styles.resolve} href={routeHref("memories", id)}>
        {words.open}
      </a>
    </div>
  );
}
