import { type Ref, useCallback, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type FactListHandle, keepOpenEdits, type OpenEdits } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { announcements } from "../ui/announce.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import { ClearedBar } from "./cleared-bar.tsx";
import { ManageBar } from "./manage-bar.tsx";
import { MemoryCards } from "./memory-cards.tsx";
import { MemoryTabs, type TabName, tabFacts } from "./memory-tabs.tsx";
import { PanelFooter } from "./panel-footer.tsx";
import { PanelHeader } from "./panel-header.tsx";
import { useFactActions } from "./use-fact-actions.ts";
import { usePanelKeys } from "./use-panel-keys.ts";
import { useSelecting } from "./use-selecting.ts";

export interface SheetHandle {
  /** What has the focus when the sheet opens. */
  firstFocus(): HTMLElement | null;
  focusCard(id: string): void;
}

export interface MemorySheetProps {
  readonly studio: Studio;
  readonly edits: OpenEdits;
  readonly draft: string;
  readonly onDraftChange: (draft: string) => void;
  readonly onClose: () => void;
  readonly ref: Ref<SheetHandle>;
}

/** What stands in the sheet. */
export function MemorySheet({ studio, edits, draft, onDraftChange, onClose, ref }: MemorySheetProps) {
  const { book } = studio;
  const state = useSnapshot(book);
  const open = useSnapshot(edits);
  const said = useSnapshot(announcements);
  const [tab, setTab] = useState<TabName>("all");
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<FactListHandle>(null);
  const composer = useRef<HTMLInputElement>(null);
  const shown = useRef<readonly string[]>([]);

  const facts = useMemo(() => tabFacts(keepOpenEdits(state.facts, open), tab), [state.facts, open, tab]);
  const ids = useMemo(() => facts.map(({ id }) => id), [facts]);
  useLayoutEffect(() => {
    shown.current = ids;
  }, [ids]);

  const selecting = useSelecting(ids);
  const desk = { book, edits, list, composer, shown };
  const actions = useFactActions(desk, selecting.set);
  usePanelKeys(root, desk, selecting, () => setIsHelpOpen((isOpen) => !isOpen));
  const focusAnything = useCallback(() => (list.current?.activeElement ?? composer.current)?.focus(), []);
  useImperativeHandle(ref, () => ({
    firstFocus: () => list.current?.activeElement ?? root.current?.querySelector("button") ?? null,
    focusCard: (id) => list.current?.focus(id),
  }));

  return (
    <div ref={root} style={{ display: "contents" }}>
      <VisuallyHidden role="status">
        <span key={said.turn}>{said.text}</span>
      </VisuallyHidden>
      <PanelHeader
        studio={studio}
        isManaging={selecting.selection !== undefined}
        onManage={selecting.selection ? selecting.stop : selecting.start}
        isHelpOpen={isHelpOpen}
        onHelpChange={setIsHelpOpen}
      />
      <MemoryTabs state={state} tab={tab} onTabChange={setTab}>
        <MemoryCards
          studio={studio}
          facts={facts}
          ids={ids}
          tab={tab}
          edits={open}
          actions={actions}
          selection={selecting.selection}
          list={list}
          onClose={onClose}
        />
      </MemoryTabs>
      {selecting.selection ? (
        <ManageBar desk={desk} facts={facts} selection={selecting.selection} selecting={selecting} />
      ) : (
        <PanelFooter desk={desk} draft={draft} onDraftChange={onDraftChange} actions={actions} />
      )}
      <ClearedBar book={book} onOver={focusAnything} />
    </div>
  );
}
