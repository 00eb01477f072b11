import { Dialog } from "@base-ui/react/dialog";
import { FileUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { MAX_CHAT_FACTS } from "throughline/chat";
import type { ImportProgress } from "throughline/memory";
import { countMemories, explainProblem } from "throughline/react";
import type { ImportOutcome, Studio } from "../../app/studio.ts";
import { panelCopy } from "../../copy/panel.ts";
import { Button } from "../../ui/controls/button.tsx";
import dialog from "../../ui/overlays/dialog.module.css";
import { sayDone } from "../panel-toast.ts";
import styles from "./import-dialog.module.css";

interface ImportDialogProps {
  readonly studio: Studio;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Imports memories from a file or from pasted text, after a preview. */
export function ImportDialog({ studio, isOpen, onOpenChange }: ImportDialogProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} forceRender />
        <Dialog.Popup className={dialog.padded}>
          <Dialog.Title className={dialog.title}>{panelCopy.import.title}</Dialog.Title>
          <Dialog.Description className={dialog.words}>{panelCopy.import.words}</Dialog.Description>
          <ImportForm studio={studio} onDone={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function ImportForm({ studio, onDone }: { readonly studio: Studio; readonly onDone: () => void }) {
  const importing = useImporting(studio, onDone);
  const { text, isBusy, preview, progress } = importing;
  return (
    <>
      <textarea
        dir="auto"
        aria-label={panelCopy.import.text}
        placeholder={panelCopy.import.placeholder}
        className={styles.text}
        value={text}
        readOnly={isBusy}
        onChange={(event) => importing.write(event.target.value)}
      />
      {isBusy && (
        <div className={styles.progress}>
          <progress aria-label={panelCopy.import.progress} max={progress?.of} value={progress?.done} />
          {progress && <span aria-hidden>{panelCopy.import.done(progress.done, progress.of)}</span>}
        </div>
      )}
      <div role="status" className={styles.outcome}>
        <Outcome {...importing} />
      </div>
      <div className={dialog.actions}>
        <FileButton onText={importing.read} />
        {isBusy ? (
          <Button kind="quiet" onClick={importing.cancel}>
            {panelCopy.import.cancel}
          </Button>
        ) : (
          <Dialog.Close render={<Button kind="quiet" />}>{panelCopy.import.cancel}</Dialog.Close>
        )}
        {/* One button: it keeps the focus from the look to the deed, so it is never put out of use in between. */}
        {preview && preview.added > 0 ? (
          <Button kind="primary" onClick={importing.confirm}>
            {isBusy
              ? panelCopy.import.adding
              : panelCopy.import.add(countMemories(Math.max(0, preview.added - preview.overLimit)))}
          </Button>
        ) : (
          <Button kind="primary" disabled={text.trim() === ""} onClick={importing.check}>
            {panelCopy.import.preview}
          </Button>
        )}
      </div>
    </>
  );
}

function FileButton({ onText }: { readonly onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button className={styles.file} onClick={() => input.current?.click()}>
        <FileUp aria-hidden /> {panelCopy.import.chooseFile}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={panelCopy.import.file}
        accept=".json,.md,.txt,.jsonl,application/json,text/*"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          void file?.text().then(onText);
        }}
      />
    </>
  );
}

const SHOWN_SKIPPED = 5;

function Outcome({ preview, problem }: Importing) {
  if (problem !== undefined) return <p className={styles.problem}>{problem}</p>;
  if (!preview) return null;
  const { added, known, overLimit } = preview;
  const { duplicates, words: skipped } = describeSkipped(preview.skipped);
  const counts = [
    panelCopy.import.isNew(added),
    known + duplicates > 0 && panelCopy.import.duplicates(known + duplicates),
    skipped.length > 0 && panelCopy.import.skipped(skipped.length),
  ];
  return (
    <>
      <p className={styles.counts}>{panelCopy.import.outcome(counts.filter(Boolean).join(", "))}</p>
      {describeLimit(overLimit).map((words) => (
        <p key={words} className={styles.counts}>
          {words}
        </p>
      ))}
      {skipped.length > 0 && (
        <ul className={styles.skipped}>
          {skipped.slice(0, SHOWN_SKIPPED).map((why) => (
            <li key={why}>{why}</li>
          ))}
          {skipped.length > SHOWN_SKIPPED && <li>{panelCopy.import.more(skipped.length - SHOWN_SKIPPED)}</li>}
        </ul>
      )}
    </>
  );
}

interface Importing {
  readonly text: string;
  readonly isBusy: boolean;
  /** Preview of the import. */
  readonly preview: ImportOutcome | undefined;
  readonly problem: string | undefined;
  readonly progress: ImportProgress | undefined;
  readonly write: (text: string) => void;
  /** Takes the text of a file, and looks at it at once. */
  readonly read: (text: string) => void;
  readonly check: () => void;
  readonly confirm: () => void;
  /** Cancels the work; nothing is imported. */
  readonly cancel: () => void;
}

const NOTHING = { text: "", isBusy: false, preview: undefined, problem: undefined, progress: undefined };

/** Import in two steps: preview, then import. */
function useImporting(studio: Studio, onDone: () => void): Importing {
  const [state, setState] = useState<Pick<Importing, keyof typeof NOTHING>>(NOTHING);
  const working = useRef<AbortController>(undefined);
  // The dialog may be closed while it works.
  useEffect(() => () => working.current?.abort(), []);
  const run = async (text: string, dryRun: boolean, then: (outcome: ImportOutcome) => void) => {
    if (state.isBusy) return;
    const work = new AbortController();
    const { signal } = work;
    working.current = work;
    const busy = { ...NOTHING, text, isBusy: true, preview: state.preview };
    setState(busy);
    try {
      const onProgress = (progress: ImportProgress) => setState({ ...busy, progress });
      then(await studio.importMemories(text, { dryRun, signal, onProgress }));
    } catch (error) {
      const { cancelled, problem } = panelCopy.import;
      setState({ ...NOTHING, text, problem: signal.aborted ? cancelled : problem(explainProblem(error)) });
    }
  };
  const look = (text: string) => void run(text, true, (preview) => setState({ ...NOTHING, text, preview }));
  return {
    ...state,
    write: (text) => setState({ ...NOTHING, text }),
    read: look,
    check: () => look(state.text),
    cancel: () => working.current?.abort(),
    confirm: () =>
      void run(state.text, false, ({ added, overLimit }) => {
        const { import: copy } = panelCopy;
        sayDone([copy.added(countMemories(added)), ...describeLimit(overLimit)].join(" "));
        onDone();
      }),
  };
}

/** A skipped line as the import reports it. */
const SKIPPED_LINE = /^line (\d+): ([a-z-]+)(?: – (.*))?$/s;

/** Skipped entries in plain words. Duplicates are counted, not listed. */
export function describeSkipped(skipped: readonly string[]): { readonly duplicates: number; readonly words: string[] } {
  const { line, quoted, reasons } = panelCopy.import;
  const isDuplicate = (why: string) => SKIPPED_LINE.exec(why)?.[2] === "duplicate";
  const others = skipped.filter((why) => !isDuplicate(why));
  const words = others.map((why) => {
    const [, number = "", name = "", text] = SKIPPED_LINE.exec(why) ?? [];
    const reason = reasons[name];
    if (reason === undefined) return why;
    return line(number, text === undefined ? reason : quoted(reason, text));
  });
  return { duplicates: skipped.length - others.length, words };
}

/** Memories over the limit. */
function describeLimit(overLimit: number): string[] {
  return overLimit === 0 ? [] : [panelCopy.import.overLimit(MAX_CHAT_FACTS, overLimit)];
}
