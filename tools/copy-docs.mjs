import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { Failure, runTool } from "./run-tool.mjs";
import { NOTICES, thirdPartyNotices } from "./third-party.mjs";

// npm packs README and LICENSE from the package's own folder only, and does not follow links. Before npm packs (prepack), this puts the
// repository's LICENSE and notices into the package, and its README if the package has none; afterwards (postpack: --remove) it removes them.

await runTool(async () => {
  const [name = ""] = process.argv.slice(2);
  const folder = join(root, "packages", name);
  if (name === "" || !existsSync(folder)) throw new Failure(`No such package: ${name}`);
  const copied = name === "throughline" ? ["README.md", "LICENSE"] : ["LICENSE"];
  if (process.argv.includes("--remove")) {
    for (const file of [...copied, NOTICES]) rmSync(join(folder, file), { force: true });
    return;
  }
  for (const file of copied) copyFileSync(join(root, file), join(folder, file));
  writeFileSync(join(folder, NOTICES), thirdPartyNotices(name));
});
