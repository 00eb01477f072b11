import { Monitor, Moon, PanelLeft, Sun, X } from "lucide-react";
import type { ReactNode } from "react";
import { customInstructions, languageChoice, MAX_INSTRUCTIONS, themeChoice } from "../app/device-settings.ts";
import type { Studio } from "../app/studio.ts";
import { INSPECT_KEYS } from "../chat/view/use-chat-keys.ts";
import { formatDay, formatNumber, formatTime } from "../copy/format.ts";
import { frameCopy } from "../copy/frame.ts";
import { settingsCopy as copy } from "../copy/settings.ts";
import { ModelPicker } from "../models/picker/model-picker.tsx";
import { type KeyLine, KeyList, PANEL_KEYS, ShortcutField } from "../panel/sheet/shortcut-list.tsx";
import { savedShortcut, showShortcut } from "../panel/shortcut.ts";
import { IconButton } from "../ui/controls/icon-button.tsx";
import { Segments } from "../ui/controls/segments.tsx";
import { Select, type SelectOption } from "../ui/controls/select.tsx";
import { NARROW, useMedia, useSnapshot } from "../ui/use-snapshot.ts";
import { DataSettings, Setting, SettingGroup } from "./data-settings.tsx";
import styles from "./settings-page.module.css";

export interface SettingsPageProps {
  readonly studio: Studio;
  /** Container for notices about memories. */
  readonly dock: ReactNode;
  readonly onOpenSidebar: () => void;
  readonly onClose: () => void;
}

/** All settings, shown instead of the conversation. */
export function SettingsPage({ studio, dock, onOpenSidebar, onClose }: SettingsPageProps) {
  const isNarrow = useMedia(NARROW);
  return (
    <main className={styles.page}>
      <header className={styles.header}>
        {isNarrow && (
          <IconButton label={frameCopy.openSidebar} icon={<PanelLeft aria-hidden />} onClick={onOpenSidebar} />
        )}
        <h1 className={styles.title}>{copy.title}</h1>
        <IconButton label={copy.close} icon={<X aria-hidden />} onClick={onClose} />
      </header>
      <div className={styles.body}>
        <SettingGroup title={copy.appearance}>
          <ThemeSetting />
          <LanguageSetting />
        </SettingGroup>
        <SettingGroup title={copy.answers}>
          <Setting label={copy.model} hint={copy.modelHint}>
            <span className={styles.model}>
              <ModelPicker manager={studio.models} />
            </span>
          </Setting>
          <InstructionsSetting />
          <MemorySetting studio={studio} />
        </SettingGroup>
        <DataSettings studio={studio} />
        <ShortcutSettings />
      </div>
      <div className={styles.dock}>{dock}</div>
    </main>
  );
}

function ThemeSetting() {
  const { value: theme } = useSnapshot(themeChoice);
  return (
    <Setting label={copy.theme}>
      <Segments
        label={copy.theme}
        value={theme}
        segments={[
          { value: "system", label: copy.themes.system, icon: <Monitor aria-hidden /> },
          { value: "light", label: copy.themes.light, icon: <Sun aria-hidden /> },
          { value: "dark", label: copy.themes.dark, icon: <Moon aria-hidden /> },
        ]}
        onChange={(next) => themeChoice.choose(next)}
      />
    </Setting>
  );
}

/** The global memory switch. Each chat has its own switch too. */
function MemorySetting({ studio }: Pick<SettingsPageProps, "studio">) {
  const { isMemoryOn } = useSnapshot(studio);
  return (
    <Setting label={copy.memory} hint={copy.memoryHint}>
      <Segments
        label={copy.memory}
        value={isMemoryOn ? "on" : "off"}
        segments={[
          { value: "on", label: copy.memoryStates.on },
          { value: "off", label: copy.memoryStates.off },
        ]}
        onChange={(next) => void studio.switchMemory(next === "on")}
      />
    </Setting>
  );
}

/** The option that follows the browser. */
const SAME_AS_BROWSER = "browser";

function LanguageSetting() {
  const { value: language = SAME_AS_BROWSER } = useSnapshot(languageChoice);
  const now = Date.now();
  const sample = `${formatDay(now)}, ${formatTime(now)} · ${formatNumber(12_430)}`;
  return (
    <Setting label={copy.language} hint={copy.languageHint(sample)}>
      <Select
        label={copy.language}
        className={styles.select}
        value={language}
        options={languageOptions()}
        onChange={(next) => languageChoice.choose(next === SAME_AS_BROWSER ? undefined : next)}
      />
    </Setting>
  );
}

function InstructionsSetting() {
  const { value: text } = useSnapshot(customInstructions);
  return (
    <Setting label={copy.instructions} hint={copy.instructionsHint} isWide>
      <textarea
        dir="auto"
        aria-label={copy.instructions}
        placeholder={copy.instructionsExample}
        className={styles.instructions}
        maxLength={MAX_INSTRUCTIONS}
        value={text}
        onChange={(event) => customInstructions.choose(event.currentTarget.value)}
      />
      <span className={styles.length}>
        {copy.instructionsLength(formatNumber(text.length), formatNumber(MAX_INSTRUCTIONS))}
      </span>
    </Setting>
  );
}

const LANGUAGES = [
  "ar",
  "cs",
  "da",
  "de",
  "el",
  "en-GB",
  "en-US",
  "es",
  "fa",
  "fi",
  "fr",
  "he",
  "hi",
  "hu",
  "id",
  "it",
  "ja",
  "ko",
  "nb",
  "nl",
  "pl",
  "pt-BR",
  "pt-PT",
  "ro",
  "ru",
  "sv",
  "th",
  "tr",
  "uk",
  "vi",
  "zh-CN",
  "zh-TW",
];

/** The languages that dates and numbers can be written in, each by its own name. */
function languageOptions(): readonly SelectOption<string>[] {
  const browser = new Intl.DateTimeFormat().resolvedOptions().locale;
  const own = LANGUAGES.map((language) => ({ value: language, label: nameOf(language) }));
  return [{ value: SAME_AS_BROWSER, label: copy.browserLanguage(nameOf(browser)) }, ...own];
}

function nameOf(language: string): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
}

const CHAT_KEYS: readonly KeyLine[] = [
  ["/", copy.chatKeys.compose],
  ["Enter", copy.chatKeys.send],
  ["Shift+Enter", copy.chatKeys.newLine],
  ["F2", copy.chatKeys.rename],
  [showShortcut(INSPECT_KEYS), copy.chatKeys.request],
];

/** All keys, and the one that can be changed. */
function ShortcutSettings() {
  const { value: shortcut } = useSnapshot(savedShortcut);
  return (
    <SettingGroup title={copy.shortcuts}>
      <div className={styles.keys}>
        <h3>{copy.inChat}</h3>
        <KeyList keys={CHAT_KEYS} />
      </div>
      <div className={styles.keys}>
        <h3>{copy.inPanel}</h3>
        <KeyList keys={PANEL_KEYS} />
        <ShortcutField shortcut={shortcut} onChange={(next) => savedShortcut.choose(next)} />
      </div>
    </SettingGroup>
  );
}
