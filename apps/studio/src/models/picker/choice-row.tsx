import { Check, Pencil } from "lucide-react";
import { modelCopy } from "../../copy/models.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import type { ModelChoice } from "../chat-model.ts";
import styles from "./choice-row.module.css";
import { PlaceIcon } from "./model-button-face.tsx";

export interface ChoiceRowProps {
  readonly choice: ModelChoice;
  readonly isCurrent: boolean;
  readonly isLoading: boolean;
  readonly onChoose: () => void;
  /** For endpoints. */
  readonly onEdit?: () => void;
}

export function ChoiceRow({ choice, isCurrent, isLoading, onChoose, onEdit }: ChoiceRowProps) {
  const { label, detail, place } = choice;
  return (
    <li className={styles.row}>
      <button
        type="button"
        className={styles.choice}
        data-choice=""
        aria-current={isCurrent || undefined}
        onClick={onChoose}
      >
        <span className={styles.icon}>
          <PlaceIcon place={place} />
        </span>
        <span className={styles.words}>
          <span className={styles.label}>{label}</span>
          <VisuallyHidden>. </VisuallyHidden>
          <span className={styles.detail}>{detail}</span>
        </span>
        {isCurrent && (
          <span className={styles.state}>
            <Check aria-hidden /> {modelCopy.inUse}
          </span>
        )}
        {isLoading && <span className={styles.state}>{modelCopy.isOpening}</span>}
      </button>
      {onEdit && (
        <IconButton label={modelCopy.edit(label)} size="small" icon={<Pencil aria-hidden />} onClick={onEdit} />
      )}
    </li>
  );
}
