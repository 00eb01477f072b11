import { showFact } from "throughline/react";
import { panelCopy } from "../copy/panel.ts";
import { announce } from "../ui/announce.ts";
import { Button } from "../ui/button.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { categoryLook } from "./categories.tsx";
import { tryTo } from "./panel-toast.ts";
import styles from "./recently-deleted.module.css";
import type { PanelState } from "./use-panel-state.ts";

/** Recently deleted memories, each with *Restore*. */
export function RecentlyDeleted({ panel: { book, list } }: { readonly panel: PanelState }) {
  const { deleted } = useSnapshot(book);
  const restore = async (id: string) => {
    list.current?.focus(id);
    await tryTo(() => book.bringBack(id));
    announce(panelCopy.said.restored);
  };
  return (
    <Disclosure className={styles.root} summary={panelCopy.deleted.count(deleted.length)}>
      <ul className={styles.list} aria-label={panelCopy.deleted.title}>
        {deleted.map(({ id, fact, category }) => (
          <li key={id} className={styles.item}>
            <span className={styles.icon} data-category={category} title={categoryLook[category].label}>
              {categoryLook[category].icon}
            </span>
            <span dir="auto" className={styles.words}>
              {showFact(fact)}
            </span>
            <Button kind="link" aria-label={panelCopy.deleted.restoreOne(fact)} onClick={() => void restore(id)}>
              {panelCopy.deleted.restore}
            </Button>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
