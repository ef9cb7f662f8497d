import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { readFields } from "@/flow/fields";
import { recordOr, text } from "@/flow/json";
import { dialogForm } from "@/flow/values/choices";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { FieldControl } from "./FieldControl";
import { Island } from "./Island";
import { PickAction } from "./PickList";
import type { ControlProps } from "./props";

/** Makes a new option in the form a dropdown brings along. */
export default function DialogEntry(props: ControlProps & { onDone: () => void }) {
  const [open, setOpen] = useState(false);
  const form = dialogForm(props.raw);
  const title = form ? text(form.display_name) || text(form.name) : "";
  return (
    <>
      <PickAction icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        {title}
      </PickAction>
      {open ? <FormDialog {...props} title={title} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function FormDialog({
  title,
  onClose,
  onDone,
  ...props
}: ControlProps & { title: string; onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation();
  const form = dialogForm(props.raw) ?? {};
  const [template, setTemplate] = useState(() => recordOr(form.template));
  const fields = readFields({ ...form, template });
  const set = (name: string, value: unknown) =>
    setTemplate((now) => ({ ...now, [name]: { ...recordOr(now[name]), value } }));
  const missing = fields.some((field) => field.required && (field.value === "" || field.value === null || field.value === undefined));
  return (
    <Island>
      <Dialog
        open
        onClose={onClose}
        title={title}
        description={text(form.description)}
        footer={
          <>
            <Button onClick={onClose}>{t("common.cancel")}</Button>
            <Button
              variant="primary"
              disabled={missing}
              onClick={() => {
                props.onChange(Object.fromEntries(fields.map((field) => [field.name, field.value])));
                props.onLeave();
                onDone();
              }}
            >
              {t("fields.create")}
            </Button>
          </>
        }
      >
        <div className="space-y-3">
          {fields.map((field) => (
            <div key={field.name}>
              <p className="mb-1 text-sm font-medium">{field.label}</p>
              <FieldControl
                {...props}
                field={field}
                raw={recordOr(template[field.name])}
                place="panel"
                shape="stacked"
                label={field.label}
                onChange={(value) => set(field.name, value)}
                onLeave={() => undefined}
              />
            </div>
          ))}
        </div>
      </Dialog>
    </Island>
  );
}
