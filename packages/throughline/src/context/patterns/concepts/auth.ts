const AUTH =
  /auth(?!or)|^(?:require|ensure|check|verify|get|is)_?(?:current_?)?(?:user|login|session|token|admin|role|permission)|jwt|bearer|protect|loggedin|login_required|guard|permission|api_?key/i;

/** Whether a name speaks of who may do something: `requireUser`, `auth.middleware`. */
export function recogniseAuth(name: string): boolean {
  return AUTH.test(name.split(".").at(-1) ?? name) || /^auth\./i.test(name);
}
