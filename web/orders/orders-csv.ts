import { csvLine, csvStart } from '#contract/csv.ts'

export const csvOf = (rows: readonly (readonly string[])[]): string => csvStart + rows.map(csvLine).join('')
