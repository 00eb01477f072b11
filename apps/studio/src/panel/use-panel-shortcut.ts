import { useEffect, useEffectEvent } from "react";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { savedShortcut } from "./saved-shortcut.ts";
import { matchesShortcut } from "./shortcut.ts";

/** Calls back when the keys of the panel are pressed, wherever the focus is. */
export function usePanelShortcut(onPress: () => void): void {
  const shortcut = useSnapshot(savedShortcut);
  const press = useEffectEvent(onPress);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.repeat || event.defaultPrevented || !matchesShortcut(event, shortcut)) return;
      event.preventDefault();
      press();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [shortcut]);
}
