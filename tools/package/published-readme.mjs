import { linksIn } from "../docs/markdown.mjs";

/** Files that README shows or links to and that are published with it. */
export const PUBLISHED_BESIDE = ["LICENSE", "docs/images/window.svg"];

/**
 * README as it is published: a relative link leads to the repository, or is plain text if the package names none.
 *
 * @param {string} text
 * @param {string | undefined} repository its address, as package.json has it
 */
export function publishedReadme(text, repository) {
  const base = repository?.replace(/^git\+/, "").replace(/\.git$/, "");
  return linksIn(text).reduce((published, { whole, label, target, isImage }) => {
    if (/^(?:https?:|#)/.test(target) || PUBLISHED_BESIDE.includes(target)) return published;
    if (base !== undefined)
      return published.replace(whole, `${isImage ? "!" : ""}[${label}](${base}/blob/main/${target})`);
    if (isImage) return published.replace(whole, "");
    return published.replace(whole, label === target ? `\`${target}\`` : `${label} (\`${target}\`)`);
  }, text);
}
