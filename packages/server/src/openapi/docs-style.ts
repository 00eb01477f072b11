/** In the colours of the Studio, in the light and in the dark. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c1917, #f5f5f4); --soft: light-dark(#57534e, #a8a29e);
  --paper: light-dark(#fafaf9, #171412); --card: light-dark(#ffffff, #1f1b18); --line: light-dark(#e7e5e4, #35302b);
  --brand: light-dark(#b4400c, #fb923c); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header, main { max-width: 54rem; margin: 0 auto; padding: 1.5rem 1rem; }
main { padding-top: 0; }
h1 { margin: 0; font-size: 1.6rem; } h1 small { color: var(--soft); font-weight: 400; font-size: 1rem; }
h2 { margin: 2rem 0 0; text-transform: capitalize; } h2 + p { margin-top: .25rem; color: var(--soft); }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; } h4 { margin: 1rem 0 .25rem; font-size: .875rem; }
a { color: var(--brand); } :focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; } nav a { padding: .25rem 0; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; margin: 1rem 0; }
article p { margin: .25rem 0; } .scope { color: var(--soft); }
code, pre { font: .875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; overflow-wrap: normal; background: var(--paper); border-radius: .5rem; padding: .75rem; margin: .5rem 0 0; }
ul { margin: .25rem 0; padding-left: 1.25rem; } summary { cursor: pointer; padding: .25rem 0; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; color: var(--brand); }
`;
