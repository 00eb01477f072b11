import process from "node:process";
import { createServer } from "../../../server/src/server.ts";
import { openStore } from "./open-store.ts";

// A server that the test kills while it answers. Prints its address.

const { store, studio } = JSON.parse(process.argv[2] ?? "") as { readonly store: string; readonly studio: string };
const { url } = await createServer({ port: 0, studio, store: openStore(store) });
process.stdout.write(`${JSON.stringify({ url })}\n`);
