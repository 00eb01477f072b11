import { settingsCopy as copy } from "../copy/settings.ts";
import type { SelectOption } from "../ui/select.tsx";

/** The option that follows the browser. */
export const SAME_AS_BROWSER = "browser";

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
export function languageOptions(): readonly SelectOption<string>[] {
  const browser = new Intl.DateTimeFormat().resolvedOptions().locale;
  const own = LANGUAGES.map((language) => ({ value: language, label: nameOf(language) }));
  return [{ value: SAME_AS_BROWSER, label: copy.browserLanguage(nameOf(browser)) }, ...own];
}

function nameOf(language: string): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
}
