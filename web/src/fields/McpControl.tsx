import { Plug } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { mcpServerName } from "@/flow/values/models";
import { OpenButton } from "./CodeControl";
import { JsonDialog } from "./JsonControl";
import type { ControlProps } from "./props";

/** Which MCP server a node talks to. There is no list of servers to choose from yet; what is saved can be edited. */
export function McpControl(props: ControlProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const name = mcpServerName(props.field.value);
  return (
    <>
      <OpenButton {...props} onOpen={() => setOpen(true)} empty={name === ""}>
        <Plug aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="min-w-0 truncate">{name === "" ? t("fields.mcp.none") : name}</span>
      </OpenButton>
      {props.place === "panel" ? <p className="mt-1 text-xs text-muted">{t("fields.mcp.hint")}</p> : null}
      {open ? <JsonDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
