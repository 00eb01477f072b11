import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder, root } from "./paths.mjs";
import { runTool } from "./run-tool.mjs";
import { NOTICES, thirdPartyNotices } from "./third-party.mjs";

// npm packs README and LICENSE from the package's own folder only, and does not follow links. The repository's are
// there while npm packs (prepack), and gone after (postpack: --remove), so that there is one of each to keep. The notices
// for what is bundled are written from what the builds recorded.
const copied = ["README.md", "LICENSE"];

await runTool(async () => {
  if (process.argv.includes("--remove")) {
    for (const name of [...copied, NOTICES]) rmSync(join(packageFolder, name), { force: true });
    return;
  }
  for (const name of copied) copyFileSync(join(root, name), join(packageFolder, name));
  writeFileSync(join(packageFolder, NOTICES), thirdPartyNotices());
});
