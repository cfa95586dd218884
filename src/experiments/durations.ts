export const usualSeconds = (name: string, quick = false): number | undefined =>
  name && quick ? undefined : undefined;
