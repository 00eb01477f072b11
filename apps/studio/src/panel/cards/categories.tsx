import { Folder, SlidersHorizontal, UserRound } from "lucide-react";
import type { MemoryFact } from "throughline/chat";
import { panelCopy } from "../../copy/panel.ts";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import styles from "./categories.module.css";

export type Category = MemoryFact["category"];

/** The order of categories in the panel. */
export const CATEGORIES: readonly Category[] = ["project", "preference", "identity"];

/** Names and icon of a category: on a card, and above a group of cards. */
export const categoryLook = {
  project: { ...panelCopy.category.project, icon: <Folder /> },
  preference: { ...panelCopy.category.preference, icon: <SlidersHorizontal /> },
  identity: { ...panelCopy.category.identity, icon: <UserRound /> },
} as const;

/** The category of a memory: an icon in its color, and its name for screen readers. */
export function CategoryMark({ category }: { readonly category: Category }) {
  const { label, icon } = categoryLook[category];
  return (
    <span className={styles.mark} data-category={category} title={label}>
      {icon}
      <VisuallyHidden>{label}: </VisuallyHidden>
    </span>
  );
}
