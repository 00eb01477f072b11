import { existsSync } from "node:fs";
import path from "node:path";
import { type Message, TRANSCRIPT_FORMATS, type TranscriptFormat, UnknownFormatError } from "throughline";
import { omitUndefined, type RedactedMessage, redactMessage } from "throughline/internal/util";
import type { SessionMeta, Skipped, TranscriptEvent } from "throughline/transcript";
import { projectOf } from "../config/project.ts";
import { LOCAL_USER } from "../data/open-data.ts";
import { untilAborted } from "../terminal/interruption.ts";
import { readEvents } from "../transcripts/read-transcript.ts";
import { InputError, UsageError } from "../usage-error.ts";
import type { ImportedFile, ImportRequest } from "./import-file.ts";
import { ImportWriter } from "./import-writer.ts";

const FIRST_SKIPPED = 20;

/** Adds the sessions of a transcript to the store, in batches while it is read. */
export async function importTranscript(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  request: ImportRequest,
): Promise<ImportedFile> {
  const { open, modelId, dryRun, signal, metas, preview, survey } = request;
  const writer = new ImportWriter(async () => (await open()).store, { userId: LOCAL_USER, modelId, dryRun });
  const name = request.session ?? nameOfFile(file);
  const skipped = { total: 0, first: [] as Skipped[] };
  let format: TranscriptFormat | undefined;
  const exclusion = new Exclusion(request);
  let redacted = 0;
  let problem: InputError | undefined;
  try {
    for await (const event of untilAborted(readEvents(file, chunks, request.format), signal)) {
      if (event.type === "format") format = event.format;
      else if (event.type === "session" || event.type === "meta") noteMeta(event, name, metas);
      else if (event.type === "message") {
        const { message, secrets } = withoutSecrets(inSession(event.message, name, file), request.keepSecrets);
        if (exclusion.skips(message.sessionId, event.folders)) continue;
        redacted += secrets;
        survey?.message(message, file, metas);
        preview?.add(message, metas.get(message.sessionId) ?? {});
        await writer.add(message);
      } else if (event.type === "compaction") {
        survey?.compaction(nameSession(event.sessionId, name), event.compaction);
      } else if (event.type === "skipped") {
        noteSkipped(event.skipped, skipped);
      }
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problem = orMemories(error);
  }
  await writer.flush();
  survey?.endFile(metas);
  const { sessions } = writer;
  const fresh = new Set(sessions.filter(({ added }) => added > 0).map(({ id }) => id));
  preview?.endFile(
    (id) => fresh.has(id),
    (id) => metas.get(id) ?? {},
  );
  return { file, format, sessions, skipped, ...exclusion.counts, redacted, ...omitUndefined({ problem }) };
}

/** Counts a record that could not be read. A record that the agent wrote twice is no loss. */
function noteSkipped(skipped: Skipped, counts: { total: number; readonly first: Skipped[] }): void {
  if (skipped.kind === "duplicate") return;
  counts.total += 1;
  if (counts.first.length < FIRST_SKIPPED) counts.first.push(skipped);
}

/** Skips and counts the sessions and messages of excluded folders. */
class Exclusion {
  readonly #request: Pick<ImportRequest, "metas" | "isExcluded">;
  readonly #sessions = new Set<string>();
  #messages = 0;

  constructor(request: Pick<ImportRequest, "metas" | "isExcluded">) {
    this.#request = request;
  }

  get counts(): Pick<ImportedFile, "excluded" | "excludedMessages"> {
    return { excluded: [...this.#sessions], excludedMessages: this.#messages };
  }

  /**
   * True if the folder of a session, or of the session that started it, is excluded, or a folder of the message.
   *
   * @param folders of the message, if the session moved
   */
  skips(sessionId: string, folders: readonly string[] = []): boolean {
    const { metas, isExcluded } = this.#request;
    const folder = sessionFolder(metas.get(sessionId) ?? {}, metas);
    if (folder !== undefined && isExcluded(folder)) {
      this.#sessions.add(sessionId);
      return true;
    }
    const isSkipped = folders.some(isExcluded);
    if (isSkipped) this.#messages += 1;
    return isSkipped;
  }
}

function withoutSecrets(message: Message, keepSecrets: boolean): RedactedMessage {
  return keepSecrets ? { message, secrets: 0 } : redactMessage(message);
}

/** Merges session metadata from several places; the first folder is kept. */
function noteMeta(
  event: Extract<TranscriptEvent, { readonly meta: SessionMeta }>,
  name: string | undefined,
  metas: Map<string, SessionMeta>,
): void {
  const id = nameSession(event.type === "session" ? event.id : event.sessionId, name);
  if (id === undefined) return;
  const known = metas.get(id);
  metas.set(id, { ...known, ...event.meta, ...omitUndefined({ cwd: known?.cwd ?? event.meta.cwd }) });
}

/** A file that is not a transcript may be a list of memories, which looks like any text. */
function orMemories(error: InputError): InputError {
  if (!(error.cause instanceof UnknownFormatError) || error.cause.looksLike !== undefined) return error;
  return new InputError(error.file, error.cause, `${error.advice} If it is a list of memories, add --memories.`);
}

function inSession(message: Message, name: string | undefined, file: string): Message {
  const sessionId = nameSession(message.sessionId, name);
  if (sessionId === undefined) {
    const problem = new UsageError("The transcript has no session id.", "Name the session with --session.");
    throw new InputError(file, problem);
  }
  return sessionId === message.sessionId ? message : { ...message, sessionId };
}

/** Default ids of sessions without one in the transcript: the format, or a number. */
const UNNAMED = new RegExp(`^(?:${TRANSCRIPT_FORMATS.join("|")}|session-(\\d+))(?=/|$)`);

/**
 * The id to store a session under. A default id would be the same for every file, so it is replaced by `name`;
 * `undefined` without one.
 */
export function nameSession(id: string, name: string | undefined): string | undefined {
  const unnamed = UNNAMED.exec(id);
  if (unnamed === null) return id;
  if (name === undefined) return undefined;
  const [found, number = "1"] = unnamed;
  return `${name}${number === "1" ? "" : `/${number}`}${id.slice(found.length)}`;
}

/** File names that are the same for every session, in a folder that is named after the session. */
const IN_FOLDER_OF_SESSION = /^(?:api_conversation_history\.json|events\.jsonl)(?:\.(?:gz|zst))?$/i;

/** The name of a file without folder and extension; `undefined` for standard input. */
export function nameOfFile(file: string): string | undefined {
  const name = path.basename(file);
  const folder = path.basename(path.dirname(path.resolve(file)));
  if (IN_FOLDER_OF_SESSION.test(name) && folder !== "") return folder;
  return file === "-" ? undefined : name.replace(/(?:\.(?:jsonl|json|txt))?(?:\.(?:gz|zst))?$/i, "") || name;
}

/** The folder of a session, or of the session that started it; `undefined` if the transcript has none. */
export function sessionFolder(meta: SessionMeta, metas: ReadonlyMap<string, SessionMeta>): string | undefined {
  const parent = meta.parentId === undefined ? undefined : metas.get(meta.parentId);
  return meta.cwd || parent?.cwd || undefined;
}

/**
 * Returns a function that gives the project of a session; `undefined` if the transcript has no folder. A folder that no
 * longer exists belongs to the repository that another session recorded above it: a session with a branch.
 *
 * @param metas metadata of all sessions, by id
 */
export function sessionProjects(metas: ReadonlyMap<string, SessionMeta>): (meta: SessionMeta) => string | undefined {
  const inRepository = [...metas.values()].filter(({ branch }) => branch !== undefined && branch !== "");
  const repositories = new Set(inRepository.flatMap((meta) => sessionFolder(meta, metas) ?? []).map(idOf));
  return (meta) => {
    const folder = sessionFolder(meta, metas);
    if (folder === undefined) return undefined;
    const id = idOf(folder);
    return existsSync(id) ? id : (parentsOf(id).find((parent) => repositories.has(parent)) ?? id);
  };
}

function idOf(folder: string): string {
  return projectOf(folder).id;
}

/** The parent folders of a path of any platform, the outermost first. */
function parentsOf(folder: string): readonly string[] {
  const { dirname } = folder.includes("\\") ? path.win32 : path.posix;
  const parents: string[] = [];
  for (let parent = dirname(folder); parent !== dirname(parent); parent = dirname(parent)) parents.unshift(parent);
  return parents;
}
