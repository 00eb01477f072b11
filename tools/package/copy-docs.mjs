import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../run/paths.mjs";
import { Failure, runTool } from "../run/run-tool.mjs";
import { PUBLISHED_BESIDE, publishedReadme } from "./published-readme.mjs";
import { NOTICES, thirdPartyNotices } from "./third-party.mjs";

// npm packs README and LICENSE from the package's own folder only, and does not follow links. Before npm packs
// (prepack), this puts the repository's LICENSE and notices into the package, and its README if the package has none;
// afterwards (postpack: --remove) it removes them. Relative links of README are rewritten so that they work in the
// package.

await runTool(async () => {
  const [name = ""] = process.argv.slice(2);
  const folder = join(root, "packages", name);
  if (name === "" || !existsSync(folder)) throw new Failure(`No such package: ${name}`);
  const hasOwnReadme = name !== "throughline";
  const copied = hasOwnReadme ? ["LICENSE"] : PUBLISHED_BESIDE;
  if (process.argv.includes("--remove")) {
    const tops = copied.map((file) => file.split("/")[0] ?? file);
    const made = hasOwnReadme ? [NOTICES] : ["README.md", NOTICES];
    for (const file of [...tops, ...made]) rmSync(join(folder, file), { recursive: true, force: true });
    return;
  }
  for (const file of copied) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  if (!hasOwnReadme) {
    const { repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const text = readFileSync(join(root, "README.md"), "utf8");
    writeFileSync(join(folder, "README.md"), publishedReadme(text, repository?.url));
  }
  writeFileSync(join(folder, NOTICES), thirdPartyNotices(name));
});
