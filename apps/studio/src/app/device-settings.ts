import { Notifier } from "./notifier.ts";

interface SettingOptions<Value> {
  readonly name: string;
  /** Parses the stored text; `undefined` if nothing is stored. */
  readonly parse: (stored: string | undefined) => Value;
  /** The text to store; `undefined` removes the stored one. */
  readonly format: (value: Value) => string | undefined;
  /** Default: the storage of this device. */
  readonly storage?: Pick<Storage, "getItem" | "setItem" | "removeItem"> | undefined;
  /** Follows changes by other tabs. Default: false. */
  readonly isShared?: boolean;
}

/** A setting of this device. If it cannot be stored, it applies until the tab is closed. */
export class DeviceSetting<Value> extends Notifier<{ readonly value: Value }> {
  readonly #options: SettingOptions<Value>;

  constructor(options: SettingOptions<Value>) {
    super({ value: options.parse(readStored(options)) });
    this.#options = options;
    const follow = ({ key }: StorageEvent) =>
      key === options.name && this.set({ value: options.parse(readStored(options)) });
    if (options.isShared) globalThis.addEventListener?.("storage", follow);
  }

  choose(value: Value): void {
    const { name, format, storage } = this.#options;
    this.set({ value });
    const text = format(value);
    try {
      if (text === undefined) (storage ?? localStorage).removeItem(name);
      else (storage ?? localStorage).setItem(name, text);
    } catch {
      // The browser does not allow this page to store data.
    }
  }
}

function readStored({ name, storage }: Pick<SettingOptions<unknown>, "name" | "storage">): string | undefined {
  try {
    return (storage ?? localStorage).getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

const THEMES = ["system", "light", "dark"] as const;

/** Light or dark: the system's setting, or the user's choice. */
export const themeChoice = new DeviceSetting<(typeof THEMES)[number]>({
  name: "throughline.theme",
  parse: (stored) => THEMES.find((theme) => theme === stored) ?? "system",
  format: (theme) => theme,
});

function applyTheme(): void {
  const { value } = themeChoice.getSnapshot();
  const { dataset } = document.documentElement;
  if (value === "system") delete dataset.theme;
  else dataset.theme = value;
}

if (typeof document !== "undefined") {
  applyTheme();
  themeChoice.subscribe(applyTheme);
}

/** Language tag for dates and numbers, such as `de` or `pt-BR`; `undefined` follows the browser. */
export const languageChoice = new DeviceSetting<string | undefined>({
  name: "throughline.language",
  parse: (stored) => {
    try {
      return stored === undefined ? undefined : Intl.DateTimeFormat.supportedLocalesOf(stored)[0];
    } catch {
      return undefined;
    }
  },
  format: (language) => language,
});

/** A longer text would leave too little of a small model's context for the conversation. */
export const MAX_INSTRUCTIONS = 1_500;

/** Custom instructions for every answer. */
export const customInstructions = new DeviceSetting<string>({
  name: "throughline.instructions",
  parse: (stored = "") => stored.slice(0, MAX_INSTRUCTIONS),
  format: (text) => text || undefined,
});

/** The global memory switch. */
export type MemoryChoice = DeviceSetting<boolean>;

export function createMemoryChoice(storage?: SettingOptions<boolean>["storage"]): MemoryChoice {
  const format = (isOn: boolean) => (isOn ? "on" : "off");
  return new DeviceSetting({ name: "throughline.memory", parse: (stored) => stored !== "off", format, storage });
}
