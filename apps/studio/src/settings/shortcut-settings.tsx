import { INSPECT_KEYS } from "../chat/view/use-chat-keys.ts";
import { settingsCopy as copy } from "../copy/settings.ts";
import { type KeyLine, KeyList, PANEL_KEYS } from "../panel/key-list.tsx";
import { savedShortcut } from "../panel/saved-shortcut.ts";
import { showShortcut } from "../panel/shortcut.ts";
import { ShortcutField } from "../panel/shortcut-field.tsx";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { SettingGroup } from "./setting.tsx";
import styles from "./settings-page.module.css";

const CHAT_KEYS: readonly KeyLine[] = [
  ["/", copy.chatKeys.compose],
  ["Enter", copy.chatKeys.send],
  ["Shift+Enter", copy.chatKeys.newLine],
  ["F2", copy.chatKeys.rename],
  [showShortcut(INSPECT_KEYS), copy.chatKeys.request],
];

/** All keys, and the one that can be changed. */
export function ShortcutSettings() {
  const shortcut = useSnapshot(savedShortcut);
  return (
    <SettingGroup title={copy.shortcuts}>
      <div className={styles.keys}>
        <h3>{copy.inChat}</h3>
        <KeyList keys={CHAT_KEYS} />
      </div>
      <div className={styles.keys}>
        <h3>{copy.inPanel}</h3>
        <KeyList keys={PANEL_KEYS} />
        <ShortcutField shortcut={shortcut} onChange={savedShortcut.save} />
      </div>
    </SettingGroup>
  );
}
