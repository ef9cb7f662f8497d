import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

/** Asked before code that is not saved is left. */
export function LeaveDialog({
  open,
  onStay,
  onDiscard,
  onSave,
}: {
  open: boolean;
  onStay: () => void;
  onDiscard: () => void;
  onSave: () => void;
}) {
  const { t } = useTranslation();
  const stay = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={open}
      onClose={onStay}
      title={t("code.leave.title")}
      description={t("code.leave.text")}
      size="md"
      initialFocus={stay}
      footer={
        <>
          <Button ref={stay} onClick={onStay}>
            {t("code.leave.stay")}
          </Button>
          <Button variant="danger" onClick={onDiscard}>
            {t("code.leave.discard")}
          </Button>
          <Button variant="primary" onClick={onSave}>
            {t("code.save")}
          </Button>
        </>
      }
    />
  );
}
