import { ChevronLeft, ChevronRight } from "lucide-react";
import { chatCopy } from "../../copy/chat.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import styles from "./version-switch.module.css";

const { versions: copy } = chatCopy;

export interface VersionSwitchProps {
  /** From 1. */
  readonly shown: number;
  readonly of: number;
  readonly isDisabled: boolean;
  readonly onShow: (version: number) => void;
}

/** Switches between the versions of a conversation. An edit or a regenerated answer starts a new one. */
export function VersionSwitch({ shown, of, isDisabled, onShow }: VersionSwitchProps) {
  if (of < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons and a number, no fields
    <div className={styles.switch} role="group" aria-label={copy.group}>
      <IconButton
        size="small"
        label={copy.earlier}
        icon={<ChevronLeft aria-hidden />}
        disabled={isDisabled || shown <= 1}
        onClick={() => onShow(shown - 1)}
      />
      <span className={styles.number}>
        <VisuallyHidden>{copy.version}</VisuallyHidden>
        {copy.of(shown, of)}
      </span>
      <IconButton
        size="small"
        label={copy.later}
        icon={<ChevronRight aria-hidden />}
        disabled={isDisabled || shown >= of}
        onClick={() => onShow(shown + 1)}
      />
    </div>
  );
}
