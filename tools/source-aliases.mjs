import { join } from "node:path";
import { packageFolder } from "./paths.mjs";

const entries = {
  throughline: "index.ts",
  "throughline/chat": "chat/chat.ts",
  "throughline/dexie": "store/dexie/dexie.ts",
  "throughline/react": "react/react.ts",
};

/** The package's names in a browser, for Vite: the Studio and its tests are made from the source, in one pass. */
export const sourceAliases = Object.entries(entries).map(([name, file]) => ({
  find: new RegExp(`^${name}$`),
  replacement: join(packageFolder, "src", file),
}));
