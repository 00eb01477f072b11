import { useEffect, useState } from "react";
import { chatCopy } from "../copy/chat.ts";
import { announce } from "./announce.tsx";

/** Time for which the button shows "Copied", in milliseconds. */
const SHOWN_FOR = 2_000;

/** Copies a text and shows a short confirmation. */
export function useCopied(): { readonly isCopied: boolean; readonly copy: (text: string) => void } {
  const [copiedAt, setCopiedAt] = useState<number>();
  useEffect(() => {
    if (copiedAt === undefined) return;
    const timer = setTimeout(() => setCopiedAt(undefined), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopiedAt(Date.now());
        announce(chatCopy.copy.copied);
      },
      () => announce(chatCopy.copy.denied),
    );
  };
  return { isCopied: copiedAt !== undefined, copy };
}
