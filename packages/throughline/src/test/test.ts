export type { StoreCheck } from "./store-check.ts";
export { storeChecks } from "./store-checks.ts";
