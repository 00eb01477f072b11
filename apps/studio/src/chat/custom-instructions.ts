import { Notifier } from "../app/notifier.ts";

const NAME = "throughline.instructions";
/** A longer text would take a small model's context away from the conversation. */
export const MAX_INSTRUCTIONS = 1_500;

/** Custom instructions for every answer. Saved on this device. */
class CustomInstructions extends Notifier<{ readonly text: string }> {
  constructor() {
    super({ text: readText() });
  }

  write(text: string): void {
    const kept = text.slice(0, MAX_INSTRUCTIONS);
    this.set({ text: kept });
    try {
      if (kept === "") localStorage.removeItem(NAME);
      else localStorage.setItem(NAME, kept);
    } catch {
      // They last until the tab is closed.
    }
  }
}

function readText(): string {
  try {
    return (localStorage.getItem(NAME) ?? "").slice(0, MAX_INSTRUCTIONS);
  } catch {
    return "";
  }
}

export const customInstructions = new CustomInstructions();
