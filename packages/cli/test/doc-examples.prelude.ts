// Variables that the `@example` blocks of the package use without defining them.

export { default as process } from "node:process";
