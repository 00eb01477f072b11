import { type RefObject, useState } from "react";
import type { Conversation } from "throughline/dexie";
import { messageOf } from "throughline/internal/util";
import { frameCopy } from "../../../copy/frame.ts";
import { announce } from "../../../ui/announce.tsx";
import type { RowState } from "./conversation-row.tsx";
import type { ConversationSidebarProps } from "./conversation-sidebar.tsx";

interface RowActionsOptions {
  readonly studio: ConversationSidebarProps["studio"];
  readonly nav: RefObject<HTMLElement | null>;
  /** The ids of all rows, from top to bottom. */
  readonly order: readonly string[];
  readonly onLeave: () => void;
}

/** Actions of the conversation rows, and their states: at most one is being renamed or asks for confirmation. */
export interface RowActions {
  stateOf(id: string): RowState;
  setState(id: string, state: RowState): void;
  /** Waits for a navigation, then closes the drawer, unless the person stays. */
  go(going: Promise<unknown>, options?: { readonly isStaying: boolean }): void;
  rename(id: string, title: string): void;
  erase(conversation: Conversation, options: { readonly alsoMemories: boolean }): void;
}

export function useRowActions({ studio, nav, order, onLeave }: RowActionsOptions): RowActions {
  const [busy, setBusy] = useState<{ readonly id: string; readonly state: RowState }>();
  /** Back to a list of rows, with the focus on one of them. */
  const finish = (id: string | undefined) => {
    setBusy(undefined);
    requestAnimationFrame(() => {
      const rows = [...(nav.current?.querySelectorAll<HTMLElement>("[data-conversation]") ?? [])];
      const wanted = rows.find((row) => row.dataset.conversation === id) ?? nav.current?.querySelector("button");
      wanted?.focus();
    });
  };
  return {
    stateOf: (id) => (busy?.id === id ? busy.state : "shown"),
    setState: (id, state) => (state === "shown" ? finish(id) : setBusy({ id, state })),
    go: (going, { isStaying = false } = { isStaying: false }) =>
      void going.then(() => (isStaying ? undefined : onLeave()), reportProblem),
    rename: (id, title) => void studio.rename(id, title).catch(reportProblem),
    erase({ id, title }, options) {
      const place = order.indexOf(id);
      studio.remove(id, options).then(() => announce(frameCopy.row.deleted(title)), reportProblem);
      finish(order[place + 1] ?? order[place - 1]);
    },
  };
}

function reportProblem(error: unknown): void {
  announce(messageOf(error));
}
