import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { Studio } from "../app/studio.ts";
import { panelCopy } from "../copy/panel.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { ExchangeMenu } from "./exchange-menu.tsx";
import { KeysPopover } from "./keys-popover.tsx";
import styles from "./panel-header.module.css";

export interface PanelHeaderProps {
  readonly studio: Studio;
  readonly isManaging: boolean;
  readonly onManage: () => void;
  readonly isHelpOpen: boolean;
  readonly onHelpChange: (isOpen: boolean) => void;
}

export function PanelHeader({ studio, isManaging, onManage, isHelpOpen, onHelpChange }: PanelHeaderProps) {
  const { facts } = useSnapshot(studio.book);
  return (
    <div className={styles.header}>
      <Dialog.Title className={styles.title}>{panelCopy.title}</Dialog.Title>
      <Button kind="quiet" aria-pressed={isManaging} disabled={facts.length === 0 && !isManaging} onClick={onManage}>
        {panelCopy.manage}
      </Button>
      <KeysPopover isOpen={isHelpOpen} onOpenChange={onHelpChange} />
      <ExchangeMenu studio={studio} />
      <Dialog.Close render={<IconButton label={panelCopy.close} keys="Esc" icon={<X aria-hidden />} />} />
    </div>
  );
}
