/** Signed, as in `+9900%`. */
export const percentWords = (percent: string): string => `${percent.startsWith('-') ? '' : '+'}${percent}%`
