import { editedParts, type WindowEdit, type WindowEditKind } from "../compact/edited-parts.ts";
import { checkOptions, FLAG, type OptionRules } from "../errors/check-options.ts";
import { NotFoundError } from "../errors/store-errors.ts";
import { lazy } from "../internal/memoize.ts";
import type { Message } from "../message/message.ts";
import type { SessionState } from "./state/session-state.ts";
import type { SessionParts } from "./turn.ts";

/** Options of `session.window.pin`, `mask` and `release`. */
export interface EditOptions {
  /** Computes the sizes and stores nothing. Default: `false`. */
  readonly dryRun?: boolean;
}

const EDIT_RULES: OptionRules<EditOptions> = { dryRun: FLAG };

/** A message of the present window. */
export interface WindowMessage {
  /** The message as it would be sent. */
  readonly message: Message;
  /** Estimate of the provider's tokens. */
  readonly tokens: number;
  /** Ids of its pinned parts, and of those that were masked by hand. */
  readonly pinned: readonly string[];
  readonly masked: readonly string[];
}

/** Most sessions are never edited: the code for it is loaded when it is needed. */
const loadEditing = lazy(() => import("./edit-window.ts"));

/**
 * The window of a session, and edits of it by hand. Get it from `session.window`.
 *
 * An edit never deletes anything: masked content is replaced by a note with its handle, and `session.expand` returns
 * it. Edits survive compactions and their undo. Each can be undone on its own, in any order.
 *
 * @example
 * const cost = await session.window.mask(["part:s1/m4.0"], { dryRun: true });
 * console.log(`${cost.tokensBefore} → ${cost.tokensAfter}, ${cost.uncachedTokens} tokens without cache`);
 */
export class SessionWindow {
  readonly #parts: SessionParts;

  /** Called by `tl.session`. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /**
   * Returns the messages of the present window, as the next request would have them without system prompt, memories and
   * trimming.
   *
   * @example
   * const largest = (await session.window.messages()).toSorted((a, b) => b.tokens - a.tokens)[0];
   */
  messages(): Promise<readonly WindowMessage[]> {
    const { repository } = this.#parts;
    return repository.exclusive(async () => {
      const { state, window, counter } = await repository.snapshot();
      const { pinned, masked } = editedParts(state);
      return window.map((message) => ({
        message,
        tokens: Math.ceil(counter.message(message) * counter.factor),
        pinned: message.parts.flatMap(({ id }) => (pinned.has(id) ? [id] : [])),
        masked: message.parts.flatMap(({ id }) => (masked.has(id) ? [id] : [])),
      }));
    });
  }

  /**
   * Keeps content verbatim in the window, until it is released. Masked content is shown again. Compacted messages
   * return to the window, behind the summary; a tool result brings its call. Pinned content is trimmed only if the
   * window fits in no other way.
   *
   * @param handles `part:<id>`, `message:<id>`, `messages:<id>..<id>`, or a compaction.
   * @param options Default: stores the edit.
   * @throws NotFoundError if a handle matches no message of this session.
   *
   * @example
   * await session.window.pin(["message:s1/m4"]);
   */
  pin(handles: readonly string[], options: EditOptions = {}): Promise<WindowEdit> {
    return this.#edit("pin", handles, options);
  }

  /**
   * Takes content out of the window: a note with its size and handle replaces it.
   *
   * @param handles Same as for `pin`.
   * @param options Default: stores the edit.
   * @throws NotFoundError if a handle matches no message of this session.
   * @throws InvalidOptionError if a note would make nothing smaller.
   *
   * @example
   * const { tokensBefore, tokensAfter } = await session.window.mask(["part:s1/m4.0"]);
   */
  mask(handles: readonly string[], options: EditOptions = {}): Promise<WindowEdit> {
    return this.#edit("mask", handles, options);
  }

  /**
   * Ends pins and masks by hand: pruning and compaction decide again.
   *
   * @param handles Same as for `pin`.
   * @param options Default: stores the edit.
   * @throws NotFoundError if a handle matches no message of this session.
   *
   * @example
   * await session.window.release(["message:s1/m4"]);
   */
  release(handles: readonly string[], options: EditOptions = {}): Promise<WindowEdit> {
    return this.#edit("release", handles, options);
  }

  /**
   * Returns the newest 500 edits, oldest first, each with whether it was undone.
   *
   * @example
   * const last = (await session.window.edits()).findLast(({ isUndone }) => !isUndone);
   */
  edits(): Promise<readonly WindowEdit[]> {
    const { repository } = this.#parts;
    return repository.exclusive(async () => (repository.state.edits ?? []).map(({ parts: _, ...edit }) => edit));
  }

  /**
   * Undoes an edit. Other edits stay.
   *
   * @param editId Id from `pin`, `mask`, `release` or `edits`.
   * @throws NotFoundError if the id is unknown or the edit is already undone.
   *
   * @example
   * const edit = await session.window.mask(["message:s1/m4"]);
   * await session.window.undo(edit.id);
   */
  undo(editId: string): Promise<void> {
    const { repository } = this.#parts;
    return repository.exclusive(async () => {
      const edit = (state: SessionState) => {
        const { edits = [] } = state;
        if (!edits.some(({ id, isUndone }) => id === editId && !isUndone)) throw new NotFoundError(`Edit ${editId}`);
        return { ...state, edits: edits.map((one) => (one.id === editId ? { ...one, isUndone: true } : one)) };
      };
      repository.futile = undefined;
      await repository.commit({ edit });
    });
  }

  async #edit(kind: WindowEditKind, handles: readonly string[], options: EditOptions): Promise<WindowEdit> {
    checkOptions(`session.window.${kind}`, options, EDIT_RULES);
    const { repository } = this.#parts;
    return repository.exclusive(async () =>
      (await loadEditing()).editWindow(repository, { kind, handles, ...options }),
    );
  }
}
