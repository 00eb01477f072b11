import { Notifier } from "./notifier.ts";

const NAME = "throughline.language";

/** Locale for dates and numbers: the browser's, or the selected one. */
class LanguageChoice extends Notifier<{ readonly language: string | undefined }> {
  constructor() {
    super({ language: readLanguage() });
  }

  /**
   * Chooses a language by its tag.
   *
   * @param language Such as `de` or `pt-BR`; `undefined` follows the browser.
   */
  choose(language: string | undefined): void {
    this.set({ language });
    try {
      if (language === undefined) localStorage.removeItem(NAME);
      else localStorage.setItem(NAME, language);
    } catch {
      // The choice lasts until the tab is closed.
    }
  }
}

function readLanguage(): string | undefined {
  try {
    return supported(localStorage.getItem(NAME) ?? undefined);
  } catch {
    return undefined;
  }
}

function supported(language: string | undefined): string | undefined {
  if (language === undefined) return undefined;
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0];
  } catch {
    return undefined;
  }
}

export const languageChoice = new LanguageChoice();

/** The language for `Intl`: `undefined` is the browser's own. */
export function dateLanguage(): string | undefined {
  return languageChoice.getSnapshot().language;
}
