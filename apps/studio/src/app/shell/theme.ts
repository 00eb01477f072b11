import { Notifier } from "../notifier.ts";

type Theme = "system" | "light" | "dark";

const NAME = "throughline.theme";
const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** Light or dark: the system's setting, or the user's choice. */
class ThemeChoice extends Notifier<{ readonly theme: Theme }> {
  constructor() {
    super({ theme: readTheme() });
    this.#apply();
  }

  choose(theme: Theme): void {
    this.set({ theme });
    try {
      localStorage.setItem(NAME, theme);
    } catch {
      // If storing fails, the choice applies until the tab is closed.
    }
    this.#apply();
  }

  #apply(): void {
    const { theme } = this.getSnapshot();
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
}

function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(NAME)) ?? "system";
  } catch {
    return "system";
  }
}

export const themeChoice = new ThemeChoice();
