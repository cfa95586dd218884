/** Folder of this package. The module and the bundle that includes it are both two folders below it. */
export const packageRoot = new URL('../../', import.meta.url);
