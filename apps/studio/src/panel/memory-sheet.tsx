import { type Ref, useCallback, useImperativeHandle, useRef, useState } from "react";
import type { OpenEdits } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { panelCopy } from "../copy/panel.ts";
import { announcements } from "../ui/announce.ts";
import { SearchField } from "../ui/search-field.tsx";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import { ClearedBar } from "./cleared-bar.tsx";
import { ManageBar } from "./manage-bar.tsx";
import { MemoryCards } from "./memory-cards.tsx";
import styles from "./memory-sheet.module.css";
import { MemoryTabs, type TabName } from "./memory-tabs.tsx";
import { PanelFooter } from "./panel-footer.tsx";
import { PanelHeader } from "./panel-header.tsx";
import { useFactActions } from "./use-fact-actions.ts";
import { usePanelKeys } from "./use-panel-keys.ts";
import { usePanelState } from "./use-panel-state.ts";
import { useSelecting } from "./use-selecting.ts";

export interface SheetHandle {
  /** Element that has the focus when the sheet opens. */
  firstFocus(): HTMLElement | null;
  focusCard(id: string): void;
}

export interface MemorySheetProps {
  readonly studio: Studio;
  readonly edits: OpenEdits;
  readonly draft: string;
  readonly onDraftChange: (draft: string) => void;
  /** Called after a jump to the source of a memory. */
  readonly onJumped: () => void;
  readonly ref: Ref<SheetHandle>;
}

/** Content of the sheet. */
export function MemorySheet({ studio, edits, draft, onDraftChange, onJumped, ref }: MemorySheetProps) {
  const { book } = studio;
  const [tab, setTab] = useState<TabName>("all");
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const { panel, found, facts, ids } = usePanelState(book, edits, tab, query);
  const { list, composer } = panel;
  const selecting = useSelecting(ids);
  const actions = useFactActions(panel, selecting.set);
  usePanelKeys(root, panel, selecting, () => setIsHelpOpen((isOpen) => !isOpen));
  const focusAnything = useCallback(() => (list.current?.activeElement ?? composer.current)?.focus(), [list, composer]);
  useImperativeHandle(ref, () => ({
    // Without cards a tab: it opens neither a tooltip nor the keys of a phone.
    firstFocus: () => list.current?.activeElement ?? root.current?.querySelector<HTMLElement>("[role=tab]") ?? null,
    focusCard: (id) => list.current?.focus(id),
  }));

  return (
    <div ref={root} style={{ display: "contents" }}>
      <Announcements />
      <PanelHeader
        studio={studio}
        isManaging={selecting.selection !== undefined}
        onManage={selecting.selection ? selecting.stop : selecting.start}
        isHelpOpen={isHelpOpen}
        onHelpChange={setIsHelpOpen}
      />
      <SearchMemories studio={studio} query={query} onQuery={setQuery} />
      <MemoryTabs facts={found} tab={tab} onTabChange={setTab}>
        <MemoryCards
          studio={studio}
          facts={facts}
          ids={ids}
          tab={tab}
          query={query}
          edits={edits}
          actions={actions}
          selection={selecting.selection}
          list={list}
          onClose={onJumped}
        />
      </MemoryTabs>
      {selecting.selection ? (
        <ManageBar panel={panel} facts={facts} selection={selecting.selection} selecting={selecting} />
      ) : (
        <PanelFooter panel={panel} draft={draft} onDraftChange={onDraftChange} actions={actions} />
      )}
      <ClearedBar book={book} onOver={focusAnything} />
    </div>
  );
}

/** Announcements are in the sheet too: the rest of the page is inert while it is open. */
function Announcements() {
  const { text, turn } = useSnapshot(announcements);
  return (
    <VisuallyHidden role="status">
      <span key={turn}>{text}</span>
    </VisuallyHidden>
  );
}

interface SearchMemoriesProps {
  readonly studio: Studio;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** Number of memories from which on there is a search field. */
const SEARCHED_FROM = 8;

/** Searches memories by words. In the demo, a line states that the memories are the demo's. */
function SearchMemories({ studio, query, onQuery }: SearchMemoriesProps) {
  const { facts } = useSnapshot(studio.book);
  const { isDemo } = useSnapshot(useSnapshot(studio).chat);
  return (
    <>
      {isDemo && <p className={styles.demo}>{panelCopy.demo}</p>}
      {(facts.length >= SEARCHED_FROM || query !== "") && (
        <SearchField label={panelCopy.search} value={query} onChange={onQuery} className={styles.search} />
      )}
    </>
  );
}
