import { Folder, SlidersHorizontal, UserRound } from "lucide-react";
import type { MemoryFact } from "throughline/chat";

export type Category = MemoryFact["category"];

/** The order in which they stand in the panel. */
export const CATEGORIES: readonly Category[] = ["project", "preference", "identity"];

/** How a category is called: on a card, and over a group of cards. */
export const categoryLook = {
  project: { label: "Work", group: "Work", icon: <Folder /> },
  preference: { label: "Preference", group: "Preferences", icon: <SlidersHorizontal /> },
  identity: { label: "You", group: "You", icon: <UserRound /> },
} as const;
