import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type MarkdownRenderer } from "vitepress";
import { slug } from "../../tools/docs/markdown.mjs";

const REPOSITORY_FILE = /\.\.\/(?:README|CONTRIBUTING|CHANGELOG|LICENSE|compose|examples|packages|bench|tools)/;
/** Examples have pages on the site: see `docs/examples`. */
const EXAMPLE = /^(?:\.\.\/)+examples\/([\w-]+)\.ts$/;
const docs = join(import.meta.dirname, "..");

/** Sidebar entries for the pages of a folder, titled by their first heading. */
function pagesIn(folder: string) {
  return readdirSync(join(docs, folder))
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .sort()
    .map((file) => ({ text: titleOf(join(docs, folder, file)), link: `/${folder}/${file.slice(0, -3)}` }));
}

function examples() {
  return readdirSync(join(docs, "..", "examples"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ text: file, link: `/examples/${file.slice(0, -".ts".length)}` }));
}

function titleOf(file: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? file;
  return heading.replaceAll("`", "");
}

/** Files outside of the documentation are not on the site, except for examples: their names stay, without a link. */
function linkRepositoryFiles(md: MarkdownRenderer): void {
  const { link_open: open, link_close: close } = md.renderer.rules;
  let isLeftOut = false;
  md.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const href = tokens[index]?.attrGet("href") ?? "";
    const [, example] = EXAMPLE.exec(href) ?? [];
    if (example !== undefined) tokens[index]?.attrSet("href", `/examples/${example}`);
    isLeftOut = example === undefined && REPOSITORY_FILE.test(href);
    if (isLeftOut) return "";
    return open?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
  };
  md.renderer.rules.link_close = (tokens, index, options, env, self) => {
    if (!isLeftOut) return close?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
    isLeftOut = false;
    return "";
  };
}

export default defineConfig({
  title: "Throughline",
  description: "Context compaction and long-term memory for TypeScript agents and chats.",
  lang: "en",
  cleanUrls: true,
  // Links to headings work here and on GitHub.
  markdown: { anchor: { slugify: slug }, config: linkRepositoryFiles },
  // The mark of the Studio.
  vite: { publicDir: "../apps/studio/public" },
  rewrites: {
    "README.md": "index.md",
    "api/README.md": "api/index.md",
    "decisions/README.md": "decisions/index.md",
  },
  // A test checks links to files of the repository.
  ignoreDeadLinks: [REPOSITORY_FILE],
  head: [["link", { rel: "icon", href: "/icon.svg" }]],
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Quick start", link: "/quick-start/agent" },
      { text: "Guides", link: "/memory" },
      { text: "Reference", link: "/configuration" },
    ],
    sidebar: [
      {
        text: "Quick start",
        items: [
          { text: "Build an agent", link: "/quick-start/agent" },
          { text: "Set up a coding agent", link: "/quick-start/coding-agent" },
          { text: "Run the server", link: "/quick-start/server" },
          { text: "Use the chat", link: "/quick-start/chat" },
        ],
      },
      {
        text: "Concepts",
        items: [
          { text: "Concepts", link: "/concepts" },
          { text: "The handover note", link: "/handover-note" },
          { text: "Glossary", link: "/glossary" },
        ],
      },
      {
        text: "Guides",
        items: [
          { text: "Agents", link: "/agents" },
          { text: "Memory", link: "/memory" },
          { text: "Context", link: "/context" },
          { text: "Sessions in the Studio", link: "/sessions-page" },
          { text: "Memories in the Studio", link: "/memories-page" },
          { text: "Chat", link: "/chat" },
          { text: "Server", link: "/server" },
          { text: "Model proxy", link: "/proxy" },
          { text: "Transcripts", link: "/transcripts" },
          { text: "Stores", link: "/stores" },
          { text: "Encryption", link: "/encryption" },
          { text: "Scale", link: "/scale" },
          { text: "Recipes", link: "/recipes" },
        ],
      },
      { text: "Examples", collapsed: true, items: examples() },
      {
        text: "Extend",
        items: [
          { text: "Add a store", link: "/stores#write-your-own-store" },
          { text: "Add a summary profile", link: "/add-a-profile" },
          { text: "Add a transcript format", link: "/add-an-importer" },
        ],
      },
      {
        text: "Reference",
        items: [
          { text: "Configuration", link: "/configuration" },
          { text: "Command line", link: "/cli" },
          { text: "HTTP API", link: "/http" },
          { text: "API", link: "/api/", collapsed: true, items: pagesIn("api") },
        ],
      },
      {
        text: "About",
        items: [
          { text: "Benchmarks", link: "/benchmarks" },
          { text: "Comparison", link: "/comparison" },
          { text: "Security", link: "/security" },
          { text: "FAQ", link: "/faq" },
          { text: "Architecture", link: "/architecture" },
          { text: "Decisions", link: "/decisions/", collapsed: true, items: pagesIn("decisions") },
        ],
      },
    ],
  },
});
