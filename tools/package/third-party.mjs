import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cliFolder, libraryFolder, root } from "../run/paths.mjs";
import { Failure } from "../run/run-tool.mjs";

// The published packages contain third-party code, whose licenses require their notices. The builds record which
// packages they bundled, and `npm pack` writes the notices from these records.

/**
 * A package whose code is in a bundle.
 *
 * @typedef {object} Bundled
 * @property {string} name
 * @property {string} version
 * @property {string} folder from the root of the repository
 */

/** The file with the notices, next to README and LICENSE. */
export const NOTICES = "THIRD-PARTY-NOTICES.txt";

/** @typedef {"library" | "quick-commands" | "studio" | "report"} BuildName a build that bundles packages of others */

/** The package that a build is published with. */
const publishedIn = { library: libraryFolder, "quick-commands": cliFolder, studio: cliFolder, report: cliFolder };

/**
 * The record of a build. npm never packs files with this prefix.
 *
 * @param {BuildName} build
 */
const recordOf = (build) => join(publishedIn[build], "dist", `._bundled-${build}.json`);

/**
 * A plugin for Vite and Rolldown that records the packages in the output.
 *
 * @param {BuildName} build
 */
export function recordBundled(build) {
  /** @type {Map<string, Bundled>} */
  const found = new Map();
  const collect = {
    name: "throughline:record-bundled",
    /**
     * @param {unknown} _options
     * @param {Record<string, { readonly type: string, readonly modules?: Readonly<Record<string, unknown>> }>} bundle
     */
    generateBundle(_options, bundle) {
      for (const { modules = {} } of Object.values(bundle)) {
        for (const id of Object.keys(modules)) {
          const bundled = packageOf(id);
          if (bundled !== undefined) found.set(bundled.folder, bundled);
        }
      }
    },
  };
  const write = {
    ...collect,
    writeBundle() {
      const list = [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
      mkdirSync(dirname(recordOf(build)), { recursive: true });
      writeFileSync(recordOf(build), `${JSON.stringify(list, null, 2)}\n`);
    },
  };
  return { main: write, worker: collect };
}

/** @param {string} id */
function cleanPath(id) {
  return id.replace(/^\0/, "").replace(/\?.*$/, "").replaceAll("\\", "/");
}

/**
 * The package of a module; `undefined` for our own.
 *
 * @param {string} id
 * @returns {Bundled | undefined}
 */
function packageOf(id) {
  // Bundlers add a few functions of their own.
  const [, bundler] = /^\0(vite|rolldown)\//.exec(id) ?? [];
  const path = bundler === undefined ? cleanPath(id) : `${root}/node_modules/${bundler}/runtime`;
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (folder === undefined) return undefined;
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { name, version, folder: folder.slice(root.length + 1) };
}

/**
 * The packages that builds bundled.
 *
 * @param {...BuildName} builds
 * @returns {Bundled[]}
 */
export function bundledPackages(...builds) {
  const all = builds.flatMap((build) => {
    if (!existsSync(recordOf(build))) throw new Failure(`Not built: ${build}. Run npm run build first.`);
    return /** @type {Bundled[]} */ (JSON.parse(readFileSync(recordOf(build), "utf8")));
  });
  const unique = new Map(all.map((one) => [`${one.name}@${one.version}`, one]));
  return [...unique.values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1,
  );
}

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;

/**
 * The license notice of a package. One without a license file refers to another that has the text.
 *
 * @param {Bundled} bundled
 * @param {readonly Bundled[]} others
 * @returns {string}
 */
export function noticeOf({ name, version, folder }, others) {
  const { license, author, repository } = manifestOf(folder);
  const source = typeof repository === "string" ? repository : repository?.url;
  const texts = licenseTexts(folder);
  return [
    `${name} ${version}`,
    `License: ${license ?? "see below"}`,
    ...(source === undefined ? [] : [`Source: ${source}`]),
    "",
    ...(texts.length > 0
      ? texts
      : [referTo(name, license, typeof author === "string" ? author : author?.name, others)]),
  ].join("\n");
}

/** @param {string} folder */
function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

/** @param {string} folder */
function licenseTexts(folder) {
  return readdirSync(join(root, folder))
    .filter((file) => LICENSE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(root, folder, file), "utf8").trim());
}

/**
 * @param {string} name
 * @param {string | undefined} license
 * @param {string | undefined} author
 * @param {readonly Bundled[]} others
 */
function referTo(name, license, author, others) {
  const [longest] = others
    .filter(({ folder }) => license !== undefined && manifestOf(folder).license === license)
    .map((other) => ({ other, size: licenseTexts(other.folder).join().length }))
    .sort((a, b) => b.size - a.size);
  if (longest === undefined || longest.size === 0) throw new Failure(`${name}: no license text found.`);
  const by = author === undefined ? "" : ` By ${author}.`;
  return `The package has no license file.${by} The text of ${license} is under ${longest.other.name}.`;
}

/** The data files of the library and their origin. */
function dataNotices() {
  const vectors = readFileSync(join(libraryFolder, "src/embed/word-vectors.md"), "utf8");
  const [, origin] = /\*\*Origin and license\.\*\* ([\s\S]*?)\n\n/.exec(vectors) ?? [];
  if (origin === undefined) throw new Failure("The README of the word vectors does not name their origin.");
  // Same license as ours, with another holder.
  const mit = readFileSync(join(root, "LICENSE"), "utf8").trim();
  const tokens = mit.replace(/^Copyright .*$/m, "Copyright (c) 2025 OpenAI, Shantanu Jain");
  return [
    `Word vectors (word-vectors.bin)\n\n${origin}`,
    `Token ranks (token-ranks.bin), by OpenAI, from https://github.com/openai/tiktoken\n\n${tokens}`,
  ];
}

/** The table of context windows in the code of the library, which the Studio bundles too. */
function windowsNotice() {
  const texts = licenseTexts("node_modules/@pydantic/genai-prices");
  return `Context windows of models, from @pydantic/genai-prices\n\n${texts.join("\n")}`;
}

/** The license of the page at /docs, and those of the packages in its bundle. */
function swaggerNotice() {
  const folder = "node_modules/swagger-ui-dist";
  const bundled = readFileSync(join(root, folder, "swagger-ui-bundle.js.LICENSE.txt"), "utf8").trim();
  return `Swagger UI (dist/swagger-ui), from swagger-ui-dist\n\n${[...licenseTexts(folder), bundled].join("\n\n")}`;
}

/** @param {...BuildName} builds */
function bundledNotices(...builds) {
  const packages = bundledPackages(...builds);
  return [windowsNotice(), ...packages.map((bundled) => noticeOf(bundled, packages))];
}

/**
 * The notices of a published package for the code and data of others in it.
 *
 * @param {string} name of its folder
 */
export function thirdPartyNotices(name) {
  const line = "-".repeat(80);
  const intro = "This package holds code and data of others. Each is listed with its license and its notices.";
  const notices = noticesOf(name);
  return `${[intro, ...notices].join(`\n\n${line}\n\n`)}\n`;
}

/** @param {string} name */
function noticesOf(name) {
  if (name === "server") return [swaggerNotice()];
  return name === "cli"
    ? bundledNotices("quick-commands", "studio", "report")
    : [...dataNotices(), ...bundledNotices("library")];
}
