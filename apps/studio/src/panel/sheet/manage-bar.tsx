import { Menu } from "@base-ui/react/menu";
import { ChevronDown, Pin, PinOff, Trash2 } from "lucide-react";
import { useEffect, useRef } from "react";
import type { FactBook, MemoryFact } from "throughline/chat";
import type { FactSelection } from "throughline/react";
import { panelCopy } from "../../copy/panel.ts";
import { announce } from "../../ui/announce.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { MenuActions } from "../../ui/overlays/action-menu.tsx";
import { CATEGORIES, type Category, categoryLook } from "../cards/categories.tsx";
import { tryTo } from "../panel-toast.ts";
import { pinFacts, removeSelected } from "./fact-actions.ts";
import styles from "./manage-bar.module.css";
import type { PanelState, Selecting } from "./use-panel-state.ts";

export interface ManageBarProps {
  readonly panel: PanelState;
  /** Those that are shown. */
  readonly facts: readonly MemoryFact[];
  readonly selection: FactSelection;
  readonly selecting: Selecting;
}

/** Actions for all selected cards. */
export function ManageBar({ panel, facts, selection, selecting }: ManageBarProps) {
  const chosen = facts.filter(({ id }) => selection.ids.has(id));
  const isNone = chosen.length === 0;
  const arePinned = !isNone && chosen.every(({ pinned }) => pinned);
  return (
    <div role="toolbar" aria-label={panelCopy.selected.toolbar} className={styles.bar}>
      <div className={styles.line}>
        <SelectAll facts={facts} chosen={chosen.length} selecting={selecting} />
        <Button kind="quiet" className={styles.done} onClick={selecting.stop}>
          {panelCopy.selected.done}
        </Button>
      </div>
      <div className={styles.line}>
        <Button disabled={isNone} onClick={() => removeSelected(panel, selecting)}>
          <Trash2 aria-hidden /> {panelCopy.selected.delete(chosen.length)}
        </Button>
        <Button disabled={isNone} onClick={() => void pinFacts(panel.book, chosen, !arePinned)}>
          {arePinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}{" "}
          {arePinned ? panelCopy.pin.unpin : panelCopy.pin.pin}
        </Button>
        <Menu.Root>
          <Menu.Trigger render={<Button disabled={isNone} />}>
            {panelCopy.selected.category} <ChevronDown aria-hidden />
          </Menu.Trigger>
          <MenuActions
            actions={CATEGORIES.map((category) => ({
              label: categoryLook[category].group,
              icon: categoryLook[category].icon,
              onSelect: () => void moveTo(panel.book, chosen, category),
            }))}
          />
        </Menu.Root>
      </div>
    </div>
  );
}

interface SelectAllProps {
  readonly facts: readonly MemoryFact[];
  readonly chosen: number;
  readonly selecting: Selecting;
}

function SelectAll({ facts, chosen, selecting }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null);
  const areAll = chosen === facts.length && chosen > 0;
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && !areAll;
  }, [chosen, areAll]);
  return (
    <label className={styles.all}>
      <input
        ref={box}
        type="checkbox"
        checked={areAll}
        disabled={facts.length === 0}
        onChange={() => selecting.set(() => ({ ids: new Set(areAll ? [] : facts.map(({ id }) => id)) }))}
      />
      {panelCopy.selected.selectAll}
      <span className={styles.count} aria-live="polite">
        {panelCopy.selected.count(chosen, facts.length)}
      </span>
    </label>
  );
}

async function moveTo(book: FactBook, facts: readonly MemoryFact[], category: Category): Promise<void> {
  await tryTo(async () => {
    for (const { id } of facts.filter((fact) => fact.category !== category)) await book.edit(id, { category });
    announce(panelCopy.said.moved(categoryLook[category].group));
  });
}
