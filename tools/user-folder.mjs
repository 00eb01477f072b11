import { root } from "./paths.mjs";

/** Where the user is: npm moves to the repository before it starts us, but a path that is given is relative to there. */
export function userFolder() {
  const here = process.cwd();
  return here === root ? (process.env.INIT_CWD ?? here) : here;
}
