import commands from "./en/commands.json";
import common from "./en/common.json";
import errors from "./en/errors.json";
import files from "./en/files.json";
import flow from "./en/flow.json";
import models from "./en/models.json";
import projects from "./en/projects.json";
import session from "./en/session.json";
import settings from "./en/settings.json";
import shell from "./en/shell.json";
import templates from "./en/templates.json";
import trash from "./en/trash.json";

/** The texts of the first pages; those of the pages about one flow come with them (`englishOfFlows`). */
export const english = { commands, common, errors, files, flow, models, projects, session, settings, shell, templates, trash };
