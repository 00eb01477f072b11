import { root } from "./paths.mjs";

/**
 * The folder in which the user started npm. npm changes to the repository first, but the user's paths are relative to
 * their folder.
 */
export function userFolder() {
  const here = process.cwd();
  return here === root ? (process.env.INIT_CWD ?? here) : here;
}
