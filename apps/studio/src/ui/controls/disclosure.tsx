import { Collapsible } from "@base-ui/react/collapsible";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./disclosure.module.css";

export interface DisclosureProps {
  readonly summary: ReactNode;
  /** Content beside the summary, outside of its button. */
  readonly beside?: ReactNode;
  /** Rendered only while open. */
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly isOpenAtFirst?: boolean;
}

/** A line that expands to show its content. */
export function Disclosure({ summary, beside, children, className, isOpenAtFirst = false }: DisclosureProps) {
  return (
    <Collapsible.Root className={className} defaultOpen={isOpenAtFirst}>
      <div className={styles.line}>
        <Collapsible.Trigger className={styles.trigger}>
          <ChevronRight aria-hidden className={styles.chevron} />
          {summary}
        </Collapsible.Trigger>
        {beside}
      </div>
      <Collapsible.Panel>{children}</Collapsible.Panel>
    </Collapsible.Root>
  );
}
