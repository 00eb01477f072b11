import type { Hono } from "hono";
import type { Throughline } from "throughline";

// Variables that the `@example` blocks of the package use without defining them.

export { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

export declare const app: Hono;
export declare const throughline: Throughline;
