import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "..", "examples");

/** A page for each example of the repository. */
export default {
  watch: ["../../examples/*.ts"],
  paths: () =>
    readdirSync(folder)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => ({
        params: { name: file.slice(0, -".ts".length) },
        content: `# ${file}\n\n\`\`\`\`ts\n${readFileSync(join(folder, file), "utf8")}\`\`\`\`\n`,
      })),
};
