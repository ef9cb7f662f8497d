import commands from "./en/commands.json";
import common from "./en/common.json";
import errors from "./en/errors.json";
import files from "./en/files.json";
import flow from "./en/flow.json";
import models from "./en/models.json";
import playground from "./en/playground.json";
import projects from "./en/projects.json";
import reference from "./en/reference.json";
import session from "./en/session.json";
import settings from "./en/settings.json";
import shell from "./en/shell.json";
import trash from "./en/trash.json";

export const english = { commands, common, errors, files, flow, models, playground, projects, reference, session, settings, shell, trash };
