export const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
