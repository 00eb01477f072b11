import type { Ledger, LedgerFile } from "../../ledger/ledger.ts";
import { wasChanged } from "../../ledger/reduce-files.ts";

/** Paths outside of any project. */
const ELSEWHERE =
  /^(?:\/tmp\/|\/private\/|\/var\/|~\/\.|\/dev\/|[A-Za-z]:\\(?:Temp|Windows)\\)|(?:^|\/)(?:node_modules|\.git|\.claude|\.codex)\//;

/** Changed files of the project, the last used one at the end. Paths are relative to the folder, if it is known. */
export function changedFiles({ files }: Ledger, folder?: string): readonly LedgerFile[] {
  return files
    .filter(wasChanged)
    .map((file) => ({ ...file, path: fromRoot(file.path, folder) }))
    .filter(({ path }) => !ELSEWHERE.test(path) && !(folder !== undefined && /^(?:\/|[A-Za-z]:|~|\.\.\/)/.test(path)));
}

/** Path relative to the folder, if it is below it. */
export function fromRoot(path: string, folder: string | undefined): string {
  const plain = path.replaceAll("\\", "/");
  const root = folder?.replaceAll("\\", "/").replace(/(?<!\/)\/+$/, "");
  return root !== undefined && root !== "" && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
}
