import { CornerDownLeft } from "lucide-react";
import { type AddedFact, ClearMemory, type FactCardActions, FactComposer, showFact } from "throughline/react";
import { panelCopy } from "../../copy/panel.ts";
import { announce } from "../../ui/announce.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Disclosure } from "../../ui/controls/disclosure.tsx";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import { categoryLook } from "../cards/categories.tsx";
import { tryTo } from "../panel-toast.ts";
import styles from "./panel-footer.module.css";
import type { PanelState } from "./use-panel-state.ts";

interface PanelFooterProps {
  readonly panel: PanelState;
  readonly draft: string;
  readonly onDraftChange: (draft: string) => void;
  readonly actions: FactCardActions;
}

/** Footer of the panel: add a memory, restore deleted ones, clear all. */
export function PanelFooter({ panel, draft, onDraftChange, actions }: PanelFooterProps) {
  const { book, edits, list, composer } = panel;
  const { facts, deleted, status } = useSnapshot(book);
  const clear = () => {
    for (const id of edits.getSnapshot().keys()) edits.cancel(id);
    void tryTo(() => book.clear());
  };
  const sayAdded = (added: AddedFact) => <Added added={added} onChange={() => actions.edit(added.fact, "full")} />;
  return (
    <div className={styles.footer}>
      {status !== "failed" && (
        <FactComposer
          ref={composer}
          book={book}
          text={draft}
          onTextChange={onDraftChange}
          sayAdded={sayAdded}
          onAdded={({ fact }) => scrollToCard(fact.id)}
          {...(facts.length > 0 && { onEscape: () => list.current?.activeElement?.focus() })}
          submitLabel={<CornerDownLeft aria-label={panelCopy.composer.remember} />}
          classNames={{
            form: styles.form,
            input: styles.input,
            submit: styles.submit,
            status: styles.status,
            override: styles.override,
          }}
        />
      )}
      <div className={styles.foot}>
        {deleted.length > 0 && <RecentlyDeleted panel={panel} />}
        {facts.length > 0 && (
          <ClearMemory
            count={facts.length}
            onClear={clear}
            classNames={{
              trigger: styles.clear,
              confirmation: styles.confirmation,
              question: styles.question,
              confirm: styles.confirm,
              cancel: styles.cancel,
            }}
          />
        )}
      </div>
    </div>
  );
}

function Added({ added: { fact, outcome }, onChange }: { readonly added: AddedFact; readonly onChange: () => void }) {
  const { group, icon } = categoryLook[fact.category];
  return (
    <>
      {panelCopy.composer.outcomes[outcome]}{" "}
      {outcome === "added" && (
        <span className={styles.category} data-category={fact.category}>
          {icon} {group}
        </span>
      )}{" "}
      ·{" "}
      <Button kind="link" onClick={onChange}>
        {panelCopy.composer.edit}
      </Button>
    </>
  );
}

/** Scrolls to a new card when it is rendered. The focus stays in the field. */
function scrollToCard(id: string): void {
  requestAnimationFrame(() =>
    document.querySelector(`[data-fact-id="${CSS.escape(id)}"]`)?.scrollIntoView({ block: "nearest" }),
  );
}

/** Recently deleted memories, each with *Restore*. */
function RecentlyDeleted({ panel: { book, list } }: { readonly panel: PanelState }) {
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
