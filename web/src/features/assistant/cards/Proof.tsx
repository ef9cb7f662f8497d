import { FlaskConical, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "@/ui/Badge";
import type { Ending } from "../model/types";

/** Whether what was built was seen to work. Why not is said in the answer. */
export function Proof({ ending }: { ending: Ending | null }) {
  const { t } = useTranslation();
  const verified = ending?.verified;
  if (verified === undefined || verified === null) return null;
  if (!verified) {
    return (
      <span title={ending?.verification_caveat ?? undefined}>
        <Badge tone="warn">
          <TriangleAlert aria-hidden="true" className="size-3" />
          {t("assistant.cards.proof.unproven")}
        </Badge>
      </span>
    );
  }
  return (
    <span
      title={
        ending?.verification_rebuilt
          ? `${t("assistant.cards.proof.verifiedHint")} ${t("assistant.cards.proof.rebuilt")}.`
          : t("assistant.cards.proof.verifiedHint")
      }
    >
      <Badge tone="ok">
        <FlaskConical aria-hidden="true" className="size-3" />
        {t("assistant.cards.proof.verified")}
      </Badge>
    </span>
  );
}
