import * as everything from "lucide-react";
import type { LucideIcon } from "lucide-react";

// The namespace also holds the names icons had before they were renamed, which saved flows still use.
export const icons = everything as unknown as Record<string, LucideIcon>;
