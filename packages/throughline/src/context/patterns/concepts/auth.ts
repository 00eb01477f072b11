const AUTH =
  /auth(?!or)|^(?:require|ensure|check|verify|get|is)_?(?:current_?)?(?:user|login|session|token|admin|role|permission)|jwt|bearer|protect|loggedin|login_required|guard|permission|api_?key/i;

/** True if a name is about authorization: `requireUser`, `auth.middleware`. */
export function recogniseAuth(name: string): boolean {
  return AUTH.test(name.split(".").at(-1) ?? name) || /^auth\./i.test(name);
}
