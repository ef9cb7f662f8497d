import { cleanup } from "@testing-library/react";
import "@testing-library/jest-dom/vitest";
import { afterEach, beforeAll } from "vitest";
import { startI18n } from "./i18n";

beforeAll(async () => {
  await startI18n("en");
  await import("./i18n/englishOfFlows");
});
afterEach(cleanup);
