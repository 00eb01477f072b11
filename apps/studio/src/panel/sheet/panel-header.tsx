import { Dialog } from "@base-ui/react/dialog";
import { Menu } from "@base-ui/react/menu";
import { Popover } from "@base-ui/react/popover";
import { CircleQuestionMark, Download, Ellipsis, FileText, Upload, X } from "lucide-react";
import { useRef, useState } from "react";
import type { Studio } from "../../app/studio.ts";
import { panelCopy } from "../../copy/panel.ts";
import { Button } from "../../ui/controls/button.tsx";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { downloadText } from "../../ui/download-text.ts";
import { MenuActions } from "../../ui/overlays/action-menu.tsx";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import { tryTo } from "../panel-toast.ts";
import { savedShortcut } from "../shortcut.ts";
import { ImportDialog } from "./import-dialog.tsx";
import styles from "./panel-header.module.css";
import keysPopoverStyles from "./shortcut-list.module.css";
import { KeyList, PANEL_KEYS, ShortcutField } from "./shortcut-list.tsx";

interface PanelHeaderProps {
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

interface KeysPopoverProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** The keys of the panel, and the one that opens it, which can be changed. */
function KeysPopover({ isOpen, onOpenChange }: KeysPopoverProps) {
  const { value: shortcut } = useSnapshot(savedShortcut);
  // Not the field: it would take the next keys for its own.
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger
        render={<IconButton label={panelCopy.keys.title} keys="?" icon={<CircleQuestionMark aria-hidden />} />}
      />
      <Popover.Portal>
        <Popover.Positioner className={keysPopoverStyles.positioner} sideOffset={4} align="end" collisionPadding={8}>
          <Popover.Popup ref={popup} initialFocus={popup} className={keysPopoverStyles.popup}>
            <Popover.Title className={keysPopoverStyles.title}>{panelCopy.keys.title}</Popover.Title>
            <KeyList keys={PANEL_KEYS} />
            <ShortcutField shortcut={shortcut} onChange={(next) => savedShortcut.choose(next)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Takes memories out of the panel as a file, and in. */
function ExchangeMenu({ studio }: { readonly studio: Studio }) {
  const { facts } = useSnapshot(studio.book);
  const [isImporting, setIsImporting] = useState(false);
  const isEmpty = facts.length === 0;
  const save = (format: "json" | "markdown") =>
    tryTo(async () => downloadText(await studio.exportMemories(format), format));
  return (
    <>
      <Menu.Root>
        <Menu.Trigger render={<IconButton label={panelCopy.exchange.menu} icon={<Ellipsis aria-hidden />} />} />
        <MenuActions
          actions={[
            {
              label: panelCopy.exchange.json,
              icon: <Download />,
              isDisabled: isEmpty,
              onSelect: () => void save("json"),
            },
            {
              label: panelCopy.exchange.markdown,
              icon: <FileText />,
              isDisabled: isEmpty,
              onSelect: () => void save("markdown"),
            },
            {
              label: panelCopy.exchange.import,
              icon: <Upload />,
              startsGroup: true,
              onSelect: () => setIsImporting(true),
            },
          ]}
        />
      </Menu.Root>
      <ImportDialog studio={studio} isOpen={isImporting} onOpenChange={setIsImporting} />
    </>
  );
}
