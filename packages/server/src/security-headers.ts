import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

/** What a page of ours may do, told to the browser with every answer. */
export function securityHeaders(): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      // Models in the browser are WebAssembly.
      scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
      // Toasts and sheets bring their styles along in the page.
      styleSrc: ["'self'", "'unsafe-inline'"],
      // No picture from elsewhere: its address could carry away what was said.
      imgSrc: ["'self'", "data:", "blob:"],
      // People choose where their model is, this machine and their own network included.
      connectSrc: ["'self'", "https:", "http:"],
      objectSrc: ["'none'"],
      frameSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
    xFrameOptions: "DENY",
    permissionsPolicy: { camera: false, geolocation: false, microphone: false },
    // Spoken over plain HTTP on this machine; and what only old browsers know.
    strictTransportSecurity: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}
