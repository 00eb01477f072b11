import { configure } from "@testing-library/react";

// `waitFor` and `findBy…` give up after a second by default: a machine with busy cores needs longer.
configure({ asyncUtilTimeout: 100_000 });
