import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { withChangedParts } from "../message/repair/repair.ts";
import { maskNote, maskOutput } from "../prune/prune-tool-outputs.ts";
import { withoutOrigin } from "../trim/cut-large-parts.ts";

/** Kinds of edits. `release` ends pins and masks, so that pruning and compaction decide again. */
export type WindowEditKind = "pin" | "mask" | "release";

/** An edit of a window by hand: a pin, a mask, or the end of either. See `session.window`. */
export interface WindowEdit {
  /** Id for `session.window.undo`; empty after a dry run. */
  readonly id: string;
  readonly kind: WindowEditKind;
  readonly handles: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Tokens of the messages before and after, as the provider would count them. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens behind the first change: the next request cannot read them from the prompt cache. */
  readonly uncachedTokens: number;
  readonly isUndone: boolean;
}

interface EditedPart {
  /** Tokens of the part, for the note of a mask. */
  readonly tokens: number;
  /**
   * Messages that are in the window as long as the part is pinned, with their positions in the session: that of the
   * part, and those that belong to the same tool calls.
   */
  readonly group: Readonly<Record<string, number>>;
}

/** An edit as the state of a session keeps it. */
export interface StoredEdit extends WindowEdit {
  /** Edited parts, by part id. */
  readonly parts: Readonly<Record<string, EditedPart>>;
}

/** An edit that can no longer be undone, for one part. */
type EffectiveEdit = EditedPart & Pick<StoredEdit, "kind" | "createdAt">;

/** The part of a state that edits are kept in. */
export interface EditState {
  /** The newest edits, oldest first, undone ones included. */
  readonly edits?: readonly StoredEdit[];
  /** Earlier edits, by part id. */
  readonly settledEdits?: Readonly<Record<string, EffectiveEdit>>;
  /** Number of edits so far. */
  readonly editCount?: number;
}

/** Parts with an edit, as their newest edit that is not undone leaves them. */
export interface EditedParts {
  readonly pinned: ReadonlySet<string>;
  readonly masked: ReadonlyMap<string, EffectiveEdit>;
  /** Ids of the messages that pins keep in the window, in the order of the session. */
  readonly group: readonly string[];
}

/** Edits that can be undone. */
const MAX_EDITS = 500;
const NOTHING: EditedParts = { pinned: new Set(), masked: new Map(), group: [] };

/** Cache: the same list of edits has the same result. */
const known = new WeakMap<readonly StoredEdit[], EditedParts>();

export function editedParts({ edits, settledEdits = {} }: EditState): EditedParts {
  if (edits === undefined) return NOTHING;
  const found = known.get(edits) ?? readEdits(edits, settledEdits);
  known.set(edits, found);
  return found;
}

function readEdits(edits: readonly StoredEdit[], settled: Readonly<Record<string, EffectiveEdit>>): EditedParts {
  const newest = new Map(Object.entries(settled));
  for (const edit of edits) if (!edit.isUndone) for (const [id, part] of editsByPart(edit)) newest.set(id, part);
  const masked = new Map([...newest].filter(([, { kind }]) => kind === "mask"));
  const pins = [...newest].filter(([, { kind }]) => kind === "pin");
  const group = new Map(pins.flatMap(([, part]) => Object.entries(part.group)));
  return {
    masked,
    pinned: new Set(pins.map(([id]) => id)),
    group: [...group].sort(([, a], [, b]) => a - b).map(([id]) => id),
  };
}

function editsByPart({ parts, kind, createdAt }: StoredEdit): [string, EffectiveEdit][] {
  return Object.entries(parts).map(([id, part]) => [id, { ...part, kind, createdAt }]);
}

/** Adds an edit. The oldest ones are settled if there are too many. */
export function withEdit<S extends EditState>(state: S, edit: StoredEdit): S {
  const { edits = [], settledEdits = {}, editCount = 0 } = state;
  const all = [...edits, edit];
  const old = all.slice(0, Math.max(0, all.length - MAX_EDITS)).filter(({ isUndone }) => !isUndone);
  return {
    ...state,
    edits: all.slice(-MAX_EDITS),
    editCount: editCount + 1,
    ...(old.length > 0 && { settledEdits: { ...settledEdits, ...Object.fromEntries(old.flatMap(editsByPart)) } }),
  };
}

/** The messages that pins keep in the window though none of its entries has them, in the order of the session. */
export function pinnedMessages(
  state: EditState,
  isInWindow: (id: string) => boolean,
  messages: ReadonlyMap<string, Message>,
): readonly Message[] {
  const edited = editedParts(state);
  return edited.group.flatMap((id) => {
    const message = isInWindow(id) ? undefined : messages.get(id);
    if (message === undefined) return [];
    // Results that came along with a pinned call, although no edit names them.
    const show = (part: Part) =>
      part.type === "tool-result" && !edited.pinned.has(part.id) && !edited.masked.has(part.id)
        ? maskOutput(part, part.tokens ?? 0, message.createdAt)
        : part;
    return [withChangedParts(message, showEdited(message, edited).parts.map(show))];
  });
}

/** A message with its masked parts replaced by notes. */
export function showEdited(message: Message, { masked }: EditedParts): Message {
  if (masked.size === 0) return message;
  const show = (part: Part) => {
    const edit = masked.get(part.id);
    return edit === undefined ? part : maskPart(part, edit.tokens, edit.createdAt);
  };
  return withChangedParts(message, message.parts.map(show));
}

/** Copy of a part with its content replaced by a note with its handle; the part itself if it has no such form. */
export function maskPart(part: Part, tokens: number, at: number): Part {
  switch (part.type) {
    case "tool-result":
      return maskOutput(part, tokens, at);
    case "tool-call":
      return { ...withoutOrigin(part), input: { note: maskNote("Input", part, tokens) } };
    case "text":
      return { ...withoutOrigin(part), text: maskNote("Text", part, tokens, part.text) };
    case "file":
      return {
        id: part.id,
        type: "text",
        synthetic: true,
        text: maskNote(`File ${part.filename ?? part.mediaType}`, part, tokens),
      };
    default:
      return part;
  }
}
