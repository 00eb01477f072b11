import fc from "fast-check";
import { cases } from "../packages/throughline/test/cases.ts";

fc.configureGlobal({ numRuns: cases(15) });
