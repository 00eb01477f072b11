import { Paperclip, X } from "lucide-react";
import { type ClipboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { messageOf } from "throughline/internal/util";
import { chatCopy } from "../../../copy/chat.ts";
import { IconButton } from "../../../ui/controls/icon-button.tsx";
import { type Attachment, imageAddress } from "../../attachments.ts";
import styles from "./composer.module.css";

const { composer: copy } = chatCopy;

interface FileOptions {
  /** Reads a file to attach. Rejects with a message for the person if it cannot be sent. */
  readonly readFile: (file: File) => Promise<Attachment>;
  readonly onProblem: (text: string) => void;
}

/** The files that go with the next message: chosen, pasted, or dropped on the page. */
export function useFiles({ readFile, onProblem }: FileOptions) {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  // A file replaces one of the same name.
  const put = (files: readonly Attachment[]) =>
    setAttachments((before) => [...before.filter(({ name }) => files.every((file) => file.name !== name)), ...files]);
  const [reads, setReads] = useState(0);
  const add = async (files: readonly File[]) => {
    setReads((count) => count + 1);
    for (const file of files) {
      try {
        put([await readFile(file)]);
      } catch (error) {
        onProblem(messageOf(error));
      }
    }
    setReads((count) => count - 1);
  };
  useDroppedFiles((files) => void add(files));
  return {
    attachments,
    /** True while a chosen file is read, which would not go with a message that is sent now. */
    isReading: reads > 0,
    add: (files: readonly File[]) => void add(files),
    remove: (name: string) => setAttachments((before) => before.filter((one) => one.name !== name)),
    put,
    clear: () => setAttachments([]),
    paste: (event: ClipboardEvent) => {
      const { files, types } = event.clipboardData;
      // Copied text often comes with a picture of itself.
      if (files.length === 0 || types.includes("text/plain")) return;
      event.preventDefault();
      void add([...files]);
    },
  };
}

/** Attaches files that are dropped anywhere on the page, which the browser would open in its place. */
function useDroppedFiles(add: (files: readonly File[]) => void): void {
  const onFiles = useEffectEvent(add);
  useEffect(() => {
    const allow = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    };
    document.addEventListener("dragover", allow);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", allow);
      document.removeEventListener("drop", drop);
    };
  }, []);
}

export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={copy.attach} icon={<Paperclip aria-hidden />} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={copy.chooseFiles}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

interface AttachedFilesProps {
  readonly attachments: readonly Attachment[];
  readonly onRemove: (name: string) => void;
}

export function AttachedFiles({ attachments, onRemove }: AttachedFilesProps) {
  if (attachments.length === 0) return null;
  return (
    <ul className={styles.files} aria-label={copy.attached}>
      {attachments.map((one) => (
        <li key={one.name}>
          {one.kind === "image" ? (
            <img className={styles.thumbnail} src={imageAddress(one)} alt="" />
          ) : (
            <Paperclip aria-hidden className={styles.clip} />
          )}
          <bdi>{one.name}</bdi>
          <IconButton
            size="small"
            label={copy.remove(one.name)}
            icon={<X aria-hidden />}
            onClick={() => onRemove(one.name)}
          />
        </li>
      ))}
    </ul>
  );
}
