/** The jobs of the tab "recover". */
export const recoverJobs = {};
