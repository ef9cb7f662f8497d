import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { type StaleRow, staleRows, useStale } from "./stale";

const labels = {
  name: "projects.field.name",
  description: "projects.field.description",
  tags: "projects.field.tags",
  locked: "projects.field.locked",
  access_type: "projects.field.access",
  folder_id: "projects.field.project",
} as const satisfies Record<StaleRow["field"], string>;

export function StaleDialog() {
  const { t } = useTranslation();
  const { question, answer } = useStale();
  const rows = question ? staleRows(question) : [];
  return (
    <Dialog
      open={question !== null}
      onClose={() => answer?.("reload")}
      title={t("projects.staleTitle")}
      description={t("projects.stale", { name: question?.mine.name })}
      size="md"
      footer={
        <>
          <Button variant="primary" onClick={() => answer?.("reload")}>
            {t("projects.staleReload")}
          </Button>
          <Button variant="danger" onClick={() => answer?.("overwrite")}>
            {t("projects.staleOverwrite")}
          </Button>
        </>
      }
    >
      {rows.length > 0 ? (
        <table className="w-full table-fixed text-left text-sm">
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="w-1/4 py-1 font-medium">
                {t("projects.staleField")}
              </th>
              <th scope="col" className="py-1 font-medium">
                {t("projects.staleTheirs")}
              </th>
              <th scope="col" className="py-1 font-medium">
                {t("projects.staleMine")}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.field} className="border-t border-line align-top">
                <th scope="row" className="py-1.5 pr-2 font-normal text-muted">
                  {t(labels[row.field])}
                </th>
                <td className="py-1.5 pr-2 break-words">
                  {row.before !== row.theirs ? <del className="block text-muted">{row.before}</del> : null}
                  {row.theirs || "–"}
                </td>
                <td className="py-1.5 break-words">{row.mine ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p className="text-muted">{t("projects.staleContent")}</p>
      )}
    </Dialog>
  );
}
