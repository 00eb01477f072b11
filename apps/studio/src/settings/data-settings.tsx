import { type ReactNode, useState } from "react";
import type { Studio } from "../app/studio.ts";
import { formatCount } from "../copy/format.ts";
import { settingsCopy as copy } from "../copy/settings.ts";
import { tryTo } from "../panel/panel-toast.ts";
import { ImportDialog } from "../panel/sheet/import-dialog.tsx";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/controls/button.tsx";
import { downloadText } from "../ui/download-text.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import styles from "./settings-page.module.css";

/** Exports, imports and deletes data. */
export function DataSettings({ studio }: { readonly studio: Studio }) {
  const memories = useSnapshot(studio.book).facts.length;
  const { conversations } = useSnapshot(studio);
  const [isImporting, setImporting] = useState(false);
  const save = (format: "json" | "markdown") =>
    tryTo(async () => downloadText(await studio.exportMemories(format), format));
  const memoriesCount = formatCount(memories, "memory", "memories");
  const chatsCount = formatCount(conversations.length, "chat", "chats");
  return (
    <SettingGroup title={copy.data}>
      <Setting label={copy.exportMemories} hint={copy.exportHint}>
        <Button disabled={memories === 0} onClick={() => void save("json")}>
          {copy.json}
        </Button>
        <Button disabled={memories === 0} onClick={() => void save("markdown")}>
          {copy.markdown}
        </Button>
      </Setting>
      <Setting label={copy.importMemories} hint={copy.importHint}>
        <Button onClick={() => setImporting(true)}>{copy.import}</Button>
        <ImportDialog studio={studio} isOpen={isImporting} onOpenChange={setImporting} />
      </Setting>
      <Setting label={copy.deleteMemories} hint={copy.deleteMemoriesHint(memoriesCount)}>
        <AskFirst
          label={copy.deleteMemories}
          question={copy.confirmMemories(memoriesCount)}
          isDisabled={memories === 0}
          onConfirm={async () => {
            await studio.book.clear();
            announce(copy.memoriesDeleted);
          }}
        />
      </Setting>
      <Setting label={copy.deleteChats} hint={copy.deleteChatsHint(chatsCount)}>
        <AskFirst
          label={copy.deleteChats}
          question={copy.confirmChats(chatsCount)}
          isDisabled={conversations.length === 0}
          onConfirm={async () => {
            for (const { id } of conversations) await studio.remove(id);
            announce(copy.chatsDeleted);
          }}
        />
      </Setting>
    </SettingGroup>
  );
}

interface AskFirstProps {
  /** Accessible name of the button. */
  readonly label: string;
  readonly question: ReactNode;
  readonly isDisabled: boolean;
  readonly onConfirm: () => Promise<void>;
}

/** A button that asks for confirmation in place. */
function AskFirst({ label, question, isDisabled, onConfirm }: AskFirstProps) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking || isDisabled) {
    return (
      <Button aria-label={label} disabled={isDisabled} onClick={() => setAsking(true)}>
        {copy.delete}
      </Button>
    );
  }
  return (
    <>
      <p className={styles.ask}>{question}</p>
      <Button
        kind="danger"
        onClick={() => {
          setAsking(false);
          void tryTo(onConfirm);
        }}
      >
        {copy.confirm}
      </Button>
      <Button kind="quiet" autoFocus onClick={() => setAsking(false)}>
        {copy.cancel}
      </Button>
    </>
  );
}

/** One group of settings. */
export function SettingGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      <div className={styles.rows}>{children}</div>
    </section>
  );
}

interface SettingProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: ReactNode;
  /** The control is below its label and takes the whole width. */
  readonly isWide?: boolean;
}

/** One setting: its description and its control. */
export function Setting({ label, hint, children, isWide = false }: SettingProps) {
  return (
    <div className={isWide ? styles.wideRow : styles.row}>
      <div className={styles.words}>
        <p className={styles.label}>{label}</p>
        {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      </div>
      <div className={styles.control}>{children}</div>
    </div>
  );
}
