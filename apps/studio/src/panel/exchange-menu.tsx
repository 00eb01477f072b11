import { Menu } from "@base-ui/react/menu";
import { Download, Ellipsis, FileText, Upload } from "lucide-react";
import { useState } from "react";
import type { Studio } from "../app/studio.ts";
import { panelCopy } from "../copy/panel.ts";
import { MenuActions } from "../ui/action-menu.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { downloadText } from "./download-text.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { tryTo } from "./panel-toast.ts";

/** Takes memories out of the panel as a file, and in. */
export function ExchangeMenu({ studio }: { readonly studio: Studio }) {
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
