// Reads the parts of a Markdown page that the documentation tests and tools need.

/**
 * @typedef {object} Link
 * @property {string} whole as it is written
 * @property {string} label
 * @property {string} target
 * @property {boolean} isImage
 */

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;
const CODE = /^(`{3,}).*\n[\s\S]*?^\1$/gm;

/**
 * @param {string} text
 * @returns {Link[]} the links and images outside of code
 */
export function linksIn(text) {
  return [...withoutCode(text).matchAll(LINK)].map(([whole, mark, label = "", target = ""]) => ({
    whole,
    label,
    target,
    isImage: mark === "!",
  }));
}

/** @param {string} text */
export function withoutCode(text) {
  return text.replaceAll(CODE, "");
}

/**
 * The anchors of a page's headings, as GitHub makes them.
 *
 * @param {string} text
 */
export function anchorsIn(text) {
  const headings = withoutCode(text).match(/^#{1,6} .*$/gm) ?? [];
  /** @type {Map<string, number>} */
  const seen = new Map();
  return headings.map((heading) => {
    const anchor = slug(heading);
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
}

/** @param {string} heading with or without its marks */
export function slug(heading) {
  return heading
    .replace(/^#+ /, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");
}
