import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packageFolder, root } from "./paths.mjs";

// npm packs README and LICENSE from the package's own folder only, and does not follow links. The repository's are
// there while npm packs (prepack), and gone after (postpack: --remove), so that there is one of each to keep.
for (const name of ["README.md", "LICENSE"]) {
  const copy = join(packageFolder, name);
  if (process.argv.includes("--remove")) rmSync(copy, { force: true });
  else copyFileSync(join(root, name), copy);
}
