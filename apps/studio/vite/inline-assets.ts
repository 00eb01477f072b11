import type { Plugin } from "vite";

/** Puts scripts and styles into the HTML, so that the page is one file. */
export function inlineAssets(): Plugin {
  return {
    name: "inline-assets",
    enforce: "post",
    generateBundle(_, bundle) {
      const pages = Object.values(bundle).filter(({ fileName }) => fileName.endsWith(".html"));
      for (const page of pages) {
        if (page.type !== "asset") continue;
        let html = String(page.source);
        for (const file of Object.values(bundle)) {
          if (file === page) continue;
          html = inline(html, file.fileName, file.type === "chunk" ? file.code : String(file.source));
          delete bundle[file.fileName];
        }
        page.source = html;
      }
    },
  };
}

function inline(html: string, name: string, content: string): string {
  const file = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const script = new RegExp(`<script type="module"[^>]*src="[^"]*${file}"[^>]*></script>`);
  const style = new RegExp(`<link rel="stylesheet"[^>]*href="[^"]*${file}"[^>]*>`);
  const isScript = script.test(html);
  // The module has to run after the body is there.
  const code = `<script type="module">${content.replaceAll("</script", "<\\/script")}</script>`;
  if (isScript) return html.replace(script, "").replace("</body>", () => `${code}</body>`);
  return html.replace(style, () => `<style>${content}</style>`);
}
