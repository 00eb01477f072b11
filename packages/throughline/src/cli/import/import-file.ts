import type { Message } from "../../message/message.ts";
import type { Store } from "../../ports/store.ts";
import type { Skipped, TranscriptFormat } from "../../transcript/transcript.ts";
import { OWNER } from "../data/open-data.ts";
import { InputError } from "../input-error.ts";
import { untilAborted } from "../interruption.ts";
import { Keeper, type SessionTally } from "../keep/keeper.ts";
import type { Progress } from "../progress.ts";
import { readTranscript } from "../read-transcript.ts";
import { UsageError } from "../usage-error.ts";
import { nameOfFile, nameSession } from "./name-session.ts";

const FIRST_SKIPPED = 20;

export interface ImportRequest {
  /** Opened when there is something to keep. */
  readonly store: () => Promise<Store>;
  readonly modelId: string;
  readonly format: TranscriptFormat | undefined;
  /** For a session that the transcript gives no id. */
  readonly session: string | undefined;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export interface ImportedFile {
  readonly file: string;
  readonly format: TranscriptFormat | undefined;
  readonly sessions: readonly SessionTally[];
  readonly skipped: { readonly total: number; readonly first: readonly Skipped[] };
  /** Why it could not be read, or not to its end; what was read is kept. */
  readonly problem: InputError | undefined;
}

/** Adds the sessions of a transcript to the store, in batches while it is read. */
export async function importFile(file: string, request: ImportRequest): Promise<ImportedFile> {
  const keeper = new Keeper(request.store, { owner: OWNER, modelId: request.modelId });
  const name = request.session ?? nameOfFile(file);
  const first: Skipped[] = [];
  let total = 0;
  let format: TranscriptFormat | undefined;
  let problem: InputError | undefined;
  try {
    const { events } = await readTranscript(file, request.format, request.progress);
    for await (const event of untilAborted(events, request.signal)) {
      if (event.type === "format") format = event.format;
      else if (event.type === "message") await keeper.add(inSession(event.message, name));
      else if (event.type === "skipped") {
        total += 1;
        if (first.length < FIRST_SKIPPED) first.push(event.skipped);
      }
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problem = error;
  }
  await keeper.flush();
  return { file, format, sessions: keeper.sessions, skipped: { total, first }, problem };
}

function inSession(message: Message, name: string | undefined): Message {
  const sessionId = nameSession(message.sessionId, name);
  if (sessionId === undefined) {
    throw new UsageError("The transcript gives its session no id.", "Name the session with --session.");
  }
  return sessionId === message.sessionId ? message : { ...message, sessionId };
}
