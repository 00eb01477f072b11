import type { ReactNode } from "react";
import styles from "./settings-page.module.css";

/** One group of settings. */
export function SettingGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      <div className={styles.rows}>{children}</div>
    </section>
  );
}

export interface SettingProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: ReactNode;
  /** The control is below its label and takes the whole width. */
  readonly isWide?: boolean;
}

/** One setting: its description and its control. */
export function Setting({ label, hint, children, isWide = false }: SettingProps) {
  return (
    <div className={isWide ? styles.wideRow : styles.row}>
      <div className={styles.words}>
        <p className={styles.label}>{label}</p>
        {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      </div>
      <div className={styles.control}>{children}</div>
    </div>
  );
}
