/** Signed, as in `+9900%`. */
export const formatPercent = (percent: string): string => `${percent.startsWith('-') ? '' : '+'}${percent}%`
