import { useState } from "react";
import type { Receipt } from "throughline";
import { Button } from "../../../ui/button.tsx";
import { VisuallyHidden } from "../../../ui/visually-hidden.tsx";
import { formatCount, formatNumber } from "../format.ts";
import styles from "./item-table.module.css";

/** More than this are shown only when asked for. */
const SHOWN_AT_FIRST = 30;

/** One thing that was in the window, or was not. */
export interface TableItem extends Partial<Pick<Receipt["items"][number], "role" | "sources" | "shortened">> {
  readonly messageId: string;
  readonly tokens: number;
  /** Its words, where it is a message of this conversation. */
  readonly text?: string | undefined;
}

export interface ItemTableProps {
  readonly caption: string;
  readonly items: readonly TableItem[];
}

export function ItemTable({ caption, items }: ItemTableProps) {
  const [isWhole, setWhole] = useState(items.length <= SHOWN_AT_FIRST);
  const shown = isWhole ? items : items.slice(-SHOWN_AT_FIRST);
  return (
    <>
      {!isWhole && (
        <Button kind="link" onClick={() => setWhole(true)}>
          Show all {formatNumber(items.length)}
        </Button>
      )}
      <table className={styles.table}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Tokens</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <tr key={item.messageId}>
              <td>
                <span className={styles.words}>
                  {item.role !== undefined && <span className={styles.role}>{item.role}</span>}
                  {item.text ?? <code>{item.messageId}</code>}
                </span>
                <span className={styles.detail}>{detailsOf(item)}</span>
              </td>
              <td>{formatNumber(item.tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function detailsOf({ sources, shortened }: TableItem): string {
  return [
    sources && `stands for ${formatCount(sources.length, "source", "sources")}`,
    shortened && `${formatCount(shortened.length, "part", "parts")} shortened`,
  ]
    .filter(Boolean)
    .join(" · ");
}
