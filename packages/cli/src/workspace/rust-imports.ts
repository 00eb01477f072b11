import path from "node:path";
import { codeChildren, part, type SyntaxNode } from "throughline/internal/engine";
import { type FileIndex, firstKnown, foldersAbove, type ImportLookup } from "./project-files.ts";

/** Files that are modules of a Rust file, and project crates that it uses. */
export async function rustImports({ path: file, root, files, read }: ImportLookup): Promise<readonly string[]> {
  const place = { files, crates: await readCrates(files, read), crate: crateFolder(file, files) };
  return importsBelow(root, { ...place, own: moduleFolder(file) }).filter((found) => found !== file);
}

function importsBelow(node: SyntaxNode, place: Place): readonly string[] {
  if (node.type === "use_declaration") {
    return usedPaths(part(node, "argument")).flatMap((steps) => findUsed(steps, place) ?? []);
  }
  if (node.type !== "mod_item") return node.children.flatMap((child) => importsBelow(child, place));
  const name = part(node, "name")?.text ?? "";
  const body = part(node, "body");
  if (body === undefined) {
    const found = findModule(place.files, place.own, [name]);
    return found === undefined ? [] : [found];
  }
  // An inline module, one level below the file.
  return importsBelow(body, { ...place, own: path.posix.join(place.own, name) });
}

/** Expands `crate::a::{b, c::d}` to its paths. */
function usedPaths(node: SyntaxNode | undefined): readonly (readonly string[])[] {
  if (node === undefined) return [];
  switch (node.type) {
    case "use_list":
      return codeChildren(node).flatMap(usedPaths);
    case "scoped_use_list": {
      const [before = []] = usedPaths(part(node, "path"));
      return usedPaths(part(node, "list")).map((after) => [...before, ...after]);
    }
    case "use_as_clause":
      return usedPaths(part(node, "path"));
    case "use_wildcard":
      return usedPaths(codeChildren(node)[0]);
    default:
      return [node.text.split("::").filter((step) => step !== "")];
  }
}

interface Place {
  readonly files: FileIndex;
  readonly crates: ReadonlyMap<string, string>;
  /** Folder of the file's modules. */
  readonly own: string;
  /** Folder of the crate's modules. */
  readonly crate: string | undefined;
}

function findUsed([first = "", ...rest]: readonly string[], { files, crates, own, crate }: Place): string | undefined {
  if (first === "crate") return crate === undefined ? undefined : findDeepest(files, crate, rest);
  if (first === "self") return findDeepest(files, own, rest);
  if (first === "super") {
    const ups = rest.findIndex((step) => step !== "super");
    const names = ups === -1 ? [] : rest.slice(ups);
    const up = Array.from({ length: rest.length - names.length + 1 }, () => "..");
    return findDeepest(files, path.posix.join(own, ...up), names);
  }
  const other = crates.get(first);
  return other === undefined ? findDeepest(files, own, [first, ...rest]) : findDeepest(files, other, rest);
}

/** The last module in a path; the rest are items in it. */
function findDeepest(files: FileIndex, folder: string, names: readonly string[]): string | undefined {
  for (let length = names.length; length > 0; length -= 1) {
    const found = findModule(files, folder, names.slice(0, length));
    if (found !== undefined) return found;
  }
  return undefined;
}

function findModule(files: FileIndex, folder: string, names: readonly string[]): string | undefined {
  const place = path.posix.join(folder, ...names);
  return firstKnown(files, [`${place}.rs`, path.posix.join(place, "mod.rs")]);
}

/** The modules of `a/b.rs` are in `a/b`; those of a root file or `mod.rs` are next to it. */
function moduleFolder(file: string): string {
  const { dir, name } = path.posix.parse(file);
  return ["lib", "main", "mod"].includes(name) ? dir : path.posix.join(dir, name);
}

function crateFolder(file: string, files: FileIndex): string | undefined {
  return foldersAbove(path.posix.dirname(file)).find((folder) =>
    ["lib.rs", "main.rs"].some((name) => files.has(path.posix.join(folder, name))),
  );
}

/** Project crates by name. */
async function readCrates(files: FileIndex, read: ImportLookup["read"]): Promise<ReadonlyMap<string, string>> {
  const crates = await Promise.all(
    files.named("Cargo.toml").map(async (file) => {
      const [, section = ""] = /^\[package\]([^[]*)/m.exec((await read(file)) ?? "") ?? [];
      const name = /(?<!\n[^\S\n]*\n)^\s*name\s*=\s*"([^"]+)"/m.exec(section)?.[1]?.replaceAll("-", "_");
      return name === undefined ? [] : [[name, path.posix.join(path.posix.dirname(file), "src")] as const];
    }),
  );
  return new Map(crates.flat());
}
