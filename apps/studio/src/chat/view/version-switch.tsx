import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import styles from "./version-switch.module.css";

export interface VersionSwitchProps {
  /** From 1. */
  readonly shown: number;
  readonly of: number;
  readonly isDisabled: boolean;
  readonly onShow: (version: number) => void;
}

/** Goes between the versions of a conversation: an edit or a new answer began another one. */
export function VersionSwitch({ shown, of, isDisabled, onShow }: VersionSwitchProps) {
  if (of < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons and a number, no fields
    <div className={styles.switch} role="group" aria-label="Versions">
      <IconButton
        size="small"
        label="Earlier version"
        icon={<ChevronLeft aria-hidden />}
        disabled={isDisabled || shown <= 1}
        onClick={() => onShow(shown - 1)}
      />
      <span className={styles.number}>
        <VisuallyHidden>Version </VisuallyHidden>
        {shown} of {of}
      </span>
      <IconButton
        size="small"
        label="Later version"
        icon={<ChevronRight aria-hidden />}
        disabled={isDisabled || shown >= of}
        onClick={() => onShow(shown + 1)}
      />
    </div>
  );
}
