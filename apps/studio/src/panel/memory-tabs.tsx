import { Tabs } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import type { FactBook, MemoryFact } from "throughline/chat";
import { panelCopy } from "../copy/panel.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { CATEGORIES, type Category, categoryLook } from "./categories.tsx";
import styles from "./memory-tabs.module.css";

export type TabName = "all" | Category;

/** The facts of a tab in the order of their cards: by category, then in the order of the list. */
export function tabFacts(facts: readonly MemoryFact[], tab: TabName): readonly MemoryFact[] {
  const categories = tab === "all" ? CATEGORIES : [tab];
  return categories.flatMap((category) => facts.filter((fact) => fact.category === category));
}

export interface MemoryTabsProps {
  readonly book: FactBook;
  readonly tab: TabName;
  readonly onTabChange: (tab: TabName) => void;
  readonly children: ReactNode;
}

/** All, or the memories of one category. */
export function MemoryTabs({ book, tab, onTabChange, children }: MemoryTabsProps) {
  const state = useSnapshot(book);
  return (
    <Tabs.Root className={styles.root} value={tab} onValueChange={(value) => onTabChange(value as TabName)}>
      <Tabs.List className={styles.list} activateOnFocus aria-label={panelCopy.categories}>
        <Tab name="all" label={panelCopy.all} count={state.facts.length} />
        {CATEGORIES.map((category) => (
          <Tab
            key={category}
            name={category}
            label={categoryLook[category].group}
            count={state.index[category].length}
          />
        ))}
        <Tabs.Indicator className={styles.indicator} />
      </Tabs.List>
      <Tabs.Panel value={tab} className={styles.panel} tabIndex={-1}>
        {children}
      </Tabs.Panel>
    </Tabs.Root>
  );
}

function Tab({ name, label, count }: { readonly name: TabName; readonly label: string; readonly count: number }) {
  return (
    <Tabs.Tab value={name} className={styles.tab}>
      {label} <span className={styles.count}>{count}</span>
    </Tabs.Tab>
  );
}
