import { Box, type LucideIcon } from "lucide-react";
import { createElement, memo, useEffect, useState } from "react";
import { commonIcons } from "./commonIcons";
import { iconName } from "./iconName";

let rest: Promise<Record<string, LucideIcon>> | null = null;
const found = new Map<string, LucideIcon>();

function lookUp(name: string): LucideIcon | null {
  if (Object.hasOwn(commonIcons, name)) return commonIcons[name] ?? null;
  return found.get(name) ?? null;
}

async function fetchIcon(name: string): Promise<void> {
  rest ??= import("./allIcons").then((module) => module.icons);
  const icons = await rest;
  const icon = /^[A-Z]/.test(name) && Object.hasOwn(icons, name) ? icons[name] : undefined;
  found.set(name, isIcon(icon) ? icon : Box);
}

// The module exports a few other things under capital names.
function isIcon(value: unknown): value is LucideIcon {
  return typeof value === "object" && value !== null && "render" in value;
}

/** A lucide icon by the name a flow gives; a box until it is known, and for names nobody knows. */
export const NodeIcon = memo(function NodeIcon({
  name,
  className,
}: {
  name: string | null;
  className?: string;
}) {
  const wanted = name ? iconName(name) : "";
  const known = wanted === "" ? Box : lookUp(wanted);
  const [, setFetched] = useState("");

  useEffect(() => {
    if (known) return;
    let current = true;
    fetchIcon(wanted).then(
      () => current && setFetched(wanted),
      () => found.set(wanted, Box),
    );
    return () => {
      current = false;
    };
  }, [known, wanted]);

  return createElement(known ?? Box, { "aria-hidden": true, className });
});
