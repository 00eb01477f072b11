import type { WindowPolicy } from "../policy.ts";
import { fitTail } from "./fit-tail.ts";

export const tail: WindowPolicy = {
  name: "tail only",
  family: "tail only",
  fit: async (point, budget) => fitTail(point.pre, budget),
};
