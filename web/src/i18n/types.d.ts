import "i18next";
import type { english } from "./english";
import type { englishOfAssistant } from "./englishOfAssistant";
import type { englishOfCode } from "./englishOfCode";
import type { englishOfFlows } from "./englishOfFlows";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof english & typeof englishOfFlows & typeof englishOfCode & typeof englishOfAssistant };
    returnNull: false;
  }
}
