/** Formats a time to the second in UTC, because a PDF is read in any time zone. */
export const utc = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`
