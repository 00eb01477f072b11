import { Paperclip } from "lucide-react";
import { chatCopy } from "../../../copy/chat.ts";
import { Disclosure } from "../../../ui/controls/disclosure.tsx";
import type { ShownMessage } from "../../chat-state.ts";
import styles from "./message-parts.module.css";
import { MessageText } from "./message-text.tsx";

const { notSent } = chatCopy;

/** Props of a component that reads only these fields of a message. */
type Of<Key extends keyof ShownMessage> = { readonly message: Pick<ShownMessage, Key> };

/** Reasoning of the model, folded. */
export function Reasoning({ message: { reasoning, state, text } }: Of<"reasoning" | "state" | "text">) {
  if (reasoning === undefined || reasoning === "") return null;
  const isThinking = state === "streaming" && text === "";
  return (
    <Disclosure className={styles.meta} summary={isThinking ? chatCopy.reasoning.thinking : chatCopy.reasoning.title}>
      <div className={styles.reasoning}>
        <MessageText text={reasoning} isStreaming={isThinking} />
      </div>
    </Disclosure>
  );
}

/** The files that were sent with a message. */
export function Attachments({ message: { attachments = [] } }: Of<"attachments">) {
  if (attachments.length === 0) return null;
  return (
    <ul className={styles.attachments} aria-label={chatCopy.message.attachments}>
      {attachments.map(({ name, image }) =>
        image === undefined ? (
          <li key={name} className={styles.file}>
            <Paperclip aria-hidden />
            <bdi>{name}</bdi>
          </li>
        ) : (
          <li key={name}>
            <img className={styles.image} src={image} alt={name} title={name} />
          </li>
        ),
      )}
    </ul>
  );
}

/** The part of a message, or of its request, that was not sent. */
export function NotSent({ message: { unsent, leftOut, imagesLeftOut } }: Of<"unsent" | "leftOut" | "imagesLeftOut">) {
  if (unsent?.kind === "cut") {
    return <p className={styles.notSent}>{notSent.cut(unsent.percentSent)}</p>;
  }
  if (unsent?.kind === "images") {
    return <p className={styles.notSent}>{notSent.imagesDidNotFit}</p>;
  }
  if (unsent?.kind === "left-out") {
    return <p className={styles.notSent}>{notSent.leftOut}</p>;
  }
  if (leftOut === undefined && imagesLeftOut === undefined) return null;
  return (
    <>
      {leftOut !== undefined && <p className={styles.notSent}>{notSent.earlier(leftOut)}</p>}
      {imagesLeftOut !== undefined && <p className={styles.notSent}>{notSent.images(imagesLeftOut)}</p>}
    </>
  );
}
