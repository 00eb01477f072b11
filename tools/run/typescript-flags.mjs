/** With these flags every supported Node runs TypeScript: 22.13 strips types only when asked to, and warns. */
export const typeScriptFlags = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
