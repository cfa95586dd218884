/** Codecs loaded when a file needs them. A web worker, which is one file, opens only formats without them. */
export const codecs = {
  csv: () => import('./csv/csv.ts'),
  parquet: () => import('./parquet/parquet.ts'),
  picture: () => import('./picture/table.ts'),
};
