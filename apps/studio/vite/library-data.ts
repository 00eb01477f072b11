import type { Plugin } from "vite";

/**
 * Leaves the data files of the library (token ranks, word vectors) out of a build. The server has the library, and
 * serves its files under the names that the build gave them.
 */
export function libraryData(): { readonly plugin: Plugin; readonly files: () => readonly string[] } {
  const files = new Set<string>();
  const plugin: Plugin = {
    name: "throughline:library-data",
    apply: "build",
    generateBundle(_, bundle) {
      for (const { type, fileName } of Object.values(bundle)) {
        if (type !== "asset" || !fileName.endsWith(".bin")) continue;
        files.add(fileName);
        delete bundle[fileName];
      }
    },
  };
  return { plugin, files: () => [...files].toSorted() };
}
