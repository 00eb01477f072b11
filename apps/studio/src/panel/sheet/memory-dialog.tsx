import { Dialog } from "@base-ui/react/dialog";
import { type Ref, useCallback, useImperativeHandle, useRef, useState } from "react";
import type { OpenEdits } from "throughline/react";
import type { Studio } from "../../app/studio.ts";
import { panelCopy } from "../../copy/panel.ts";
import { Announcements } from "../../ui/announce.tsx";
import { SearchField } from "../../ui/controls/search-field.tsx";
import { returnFocus } from "../../ui/overlays/return-focus.ts";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import { MemoryCards } from "../cards/memory-cards.tsx";
import { MemoryTabs, type TabName } from "../cards/memory-tabs.tsx";
import styles from "../memory-panel.module.css";
import { ClearedBar, MemoryToasts } from "../memory-toasts.tsx";
import { useFactActions, usePanelKeys } from "./fact-actions.ts";
import { ManageBar } from "./manage-bar.tsx";
import memoryDialogStyles from "./memory-dialog.module.css";
import { PanelFooter } from "./panel-footer.tsx";
import { PanelHeader } from "./panel-header.tsx";
import { usePanelState, useSelecting } from "./use-panel-state.ts";

export interface MemoryDialogProps {
  readonly studio: Studio;
  readonly edits: OpenEdits;
  readonly draft: string;
  readonly onDraftChange: (draft: string) => void;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** Called after the opening or closing animation. */
  readonly onOpenChangeComplete: () => void;
  /** Called when the person went to the source of a memory. */
  readonly onJumped: () => void;
}

/** The sheet over the right side. */
export function MemoryDialog({ isOpen, onOpenChange, onOpenChangeComplete, onJumped, ...rest }: MemoryDialogProps) {
  const sheet = useRef<SheetHandle>(null);
  /** A jump to a message takes the focus there: it does not go back to the pill. */
  const hasJumped = useRef(false);
  const { book } = rest.studio;
  const change = (next: boolean) => {
    hasJumped.current = false;
    onOpenChange(next);
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={change} onOpenChangeComplete={onOpenChangeComplete}>
      {/* A landmark also for the menus that open from the sheet. */}
      <Dialog.Portal role="region" aria-label={panelCopy.panel}>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          className={styles.sheet}
          initialFocus={() => sheet.current?.firstFocus() ?? true}
          finalFocus={() => (hasJumped.current ? false : returnFocus(findPill()))}
        >
          <MemorySheet
            ref={sheet}
            {...rest}
            onJumped={() => {
              onJumped();
              change(false);
              hasJumped.current = true;
            }}
          />
          <MemoryToasts book={book} onUndo={(id) => sheet.current?.focusCard(id)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function findPill(): HTMLElement | null {
  return document.querySelector("[data-memory-pill]");
}

export interface SheetHandle {
  /** Element that has the focus when the sheet opens. */
  firstFocus(): HTMLElement | null;
  focusCard(id: string): void;
}

interface MemorySheetProps {
  readonly studio: Studio;
  readonly edits: OpenEdits;
  readonly draft: string;
  readonly onDraftChange: (draft: string) => void;
  /** Called after a jump to the source of a memory. */
  readonly onJumped: () => void;
  readonly ref: Ref<SheetHandle>;
}

/** Content of the sheet. */
function MemorySheet({ studio, edits, draft, onDraftChange, onJumped, ref }: MemorySheetProps) {
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
      {/* The rest of the page is inert while the sheet is open. */}
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
      {isDemo && <p className={memoryDialogStyles.demo}>{panelCopy.demo}</p>}
      {(facts.length >= SEARCHED_FROM || query !== "") && (
        <SearchField label={panelCopy.search} value={query} onChange={onQuery} className={memoryDialogStyles.search} />
      )}
    </>
  );
}
