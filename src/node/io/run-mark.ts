/** The mark of a run: a hidden file in a folder that the run writes to, there until the folder is complete. */

export const MARK = /^run-[-0-9a-f]{36}$/;

/** Whether it is the name of such a file. */
export const isMark = (file: string): boolean => file.startsWith('.') && MARK.test(file.slice(1));
