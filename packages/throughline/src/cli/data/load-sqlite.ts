import process from "node:process";

/** What keeps the data, loaded when it is first needed: commands that keep nothing start without it. */
export async function loadSqlite() {
  takeExperimentalWarning();
  return import("../../store/sqlite/sqlite.ts");
}

/** Older versions of Node say once that SQLite is an experiment there; a user of the command line cannot act on it. */
function takeExperimentalWarning(): void {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
