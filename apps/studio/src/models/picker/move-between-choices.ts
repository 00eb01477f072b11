import type { KeyboardEvent } from "react";

/** Arrow keys move to the next choice, Home and End to the first and the last. */
export function moveBetweenChoices(event: KeyboardEvent<HTMLElement>): void {
  const choices = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-choice]")];
  const at = choices.indexOf(event.target as HTMLElement);
  const next = nextIndex(event.key, at, choices.length);
  if (next === undefined) return;
  event.preventDefault();
  choices[next]?.focus();
}

function nextIndex(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowDown") return Math.min(at + 1, count - 1);
  if (key === "ArrowUp") return at === -1 ? count - 1 : Math.max(at - 1, 0);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
