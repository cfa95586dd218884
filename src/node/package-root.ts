/** The folder of this package. The module and the bundle that it becomes part of are both two folders below it. */
export const packageRoot = new URL('../../', import.meta.url);
