import commands from "./ko/commands.json";
import common from "./ko/common.json";
import errors from "./ko/errors.json";
import files from "./ko/files.json";
import flow from "./ko/flow.json";
import models from "./ko/models.json";
import playground from "./ko/playground.json";
import projects from "./ko/projects.json";
import reference from "./ko/reference.json";
import session from "./ko/session.json";
import settings from "./ko/settings.json";
import shell from "./ko/shell.json";
import trash from "./ko/trash.json";

export default { commands, common, errors, files, flow, models, playground, projects, reference, session, settings, shell, trash };
