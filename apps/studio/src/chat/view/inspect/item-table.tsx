import { useState } from "react";
import type { Receipt } from "throughline";
import { requestCopy } from "../../../copy/requests.ts";
import { Button } from "../../../ui/button.tsx";
import { VisuallyHidden } from "../../../ui/visually-hidden.tsx";
import { formatNumber } from "../format.ts";
import styles from "./item-table.module.css";

/** Maximum number of items before *Show all*. */
const SHOWN_AT_FIRST = 30;

/** An item of the window, or one that was left out. */
export interface TableItem extends Partial<Pick<Receipt["items"][number], "role" | "sources" | "shortened">> {
  readonly messageId: string;
  readonly tokens: number;
  /** Text of a message of this conversation. */
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
          {requestCopy.showAll(items.length)}
        </Button>
      )}
      <table className={styles.table}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">{requestCopy.item}</th>
            <th scope="col">{requestCopy.tokens}</th>
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
  return [sources && requestCopy.sources(sources.length), shortened && requestCopy.shortened(shortened.length)]
    .filter(Boolean)
    .join(" · ");
}
