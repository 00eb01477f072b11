import path from "node:path";
import { TRANSCRIPT_FORMATS } from "throughline";

/** What the readers call a session whose transcript says no id: by the format, or by a number where it may hold several. */
const UNNAMED = new RegExp(`^(?:${TRANSCRIPT_FORMATS.join("|")}|session-(\\d+))(?=/|$)`);

/**
 * The id under which a session is kept. One that the transcript does not say would be the same for every file, so it is
 * made from a name; `undefined` where there is none.
 */
export function nameSession(id: string, name: string | undefined): string | undefined {
  const unnamed = UNNAMED.exec(id);
  if (unnamed === null) return id;
  if (name === undefined) return undefined;
  const [found, number = "1"] = unnamed;
  return `${name}${number === "1" ? "" : `/${number}`}${id.slice(found.length)}`;
}

/** Files that an agent names alike for each session, in a folder that is named for the session. */
const IN_FOLDER_OF_SESSION = /^(?:api_conversation_history\.json|events\.jsonl)(?:\.(?:gz|zst))?$/i;

/** The name of a file without its folder and without what tells its kind; standard input has none. */
export function nameOfFile(file: string): string | undefined {
  const name = path.basename(file);
  const folder = path.basename(path.dirname(path.resolve(file)));
  if (IN_FOLDER_OF_SESSION.test(name) && folder !== "") return folder;
  return file === "-" ? undefined : name.replace(/(?:\.(?:jsonl|json|txt))?(?:\.(?:gz|zst))?$/i, "") || name;
}
