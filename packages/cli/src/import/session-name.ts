import path from "node:path";
import { TRANSCRIPT_FORMATS } from "throughline";

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
