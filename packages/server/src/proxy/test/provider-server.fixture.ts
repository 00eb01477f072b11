export { type Exchange, type ProviderServer, startProviderServer } from "../../../test/provider/provider-server.ts";
