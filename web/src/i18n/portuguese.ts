import commands from "./pt/commands.json";
import common from "./pt/common.json";
import errors from "./pt/errors.json";
import files from "./pt/files.json";
import flow from "./pt/flow.json";
import models from "./pt/models.json";
import playground from "./pt/playground.json";
import projects from "./pt/projects.json";
import reference from "./pt/reference.json";
import session from "./pt/session.json";
import settings from "./pt/settings.json";
import shell from "./pt/shell.json";
import trash from "./pt/trash.json";

export default { commands, common, errors, files, flow, models, playground, projects, reference, session, settings, shell, trash };
