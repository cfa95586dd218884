/** Mark of a run: a hidden file in a folder that the run writes to, present until the folder is complete. */

export const MARK = /^run-[-0-9a-f]{36}$/;

/** Whether this is the name of a mark. */
export const isMark = (file: string): boolean => file.startsWith('.') && MARK.test(file.slice(1));
