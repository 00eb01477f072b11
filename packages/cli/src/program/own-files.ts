type Files = typeof import("node:fs");

/** The content of a file that only this user can write: V8 runs stored code as it is. */
export function readOwnFile(fs: Files, file: string): Buffer | undefined {
  let opened: number | undefined;
  try {
    opened = fs.openSync(file, "r");
    const { uid, mode } = fs.fstatSync(opened);
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOwn ? fs.readFileSync(opened) : undefined;
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) fs.closeSync(opened);
  }
}

/** Other processes read the whole file or none. Without the right to write, the next run compiles again. */
export function writeWhole(fs: Files, file: string, bytes: Uint8Array): void {
  const draft = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(draft, bytes, { mode: 0o600 });
    fs.renameSync(draft, file);
  } catch {
    fs.rmSync(draft, { force: true });
  }
}
