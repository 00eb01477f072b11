import { Tabs } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import type { MemoryFact } from "throughline/chat";
import { panelCopy } from "../../copy/panel.ts";
import { CATEGORIES, type Category, categoryLook } from "./categories.tsx";
import styles from "./memory-tabs.module.css";

export type TabName = "all" | Category;

/** The facts of a tab in the order of their cards: by category, then in the order of the list. */
export function tabFacts(facts: readonly MemoryFact[], tab: TabName): readonly MemoryFact[] {
  const categories = tab === "all" ? CATEGORIES : [tab];
  return categories.flatMap((category) => facts.filter((fact) => fact.category === category));
}

export interface MemoryTabsProps {
  /** The facts of all tabs. */
  readonly facts: readonly MemoryFact[];
  readonly tab: TabName;
  readonly onTabChange: (tab: TabName) => void;
  readonly children: ReactNode;
}

/** All, or the memories of one category. */
export function MemoryTabs({ facts, tab, onTabChange, children }: MemoryTabsProps) {
  return (
    <Tabs.Root className={styles.root} value={tab} onValueChange={(value) => onTabChange(value as TabName)}>
      <Tabs.List className={styles.list} activateOnFocus aria-label={panelCopy.categories}>
        <Tab name="all" label={panelCopy.all} count={facts.length} />
        {CATEGORIES.map((category) => (
          <Tab
            key={category}
            name={category}
            label={categoryLook[category].group}
            count={tabFacts(facts, category).length}
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
      {label} {count > 0 && <span className={styles.count}>{count}</span>}
    </Tabs.Tab>
  );
}
