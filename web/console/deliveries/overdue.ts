import { DAY } from '#contract/platform/durations.ts'

/** The last day (UTC) that ended more than a week ago. What became due by then is overdue. */
export const lastOverdueDay = (): string => new Date(Date.now() - 8 * DAY).toISOString().slice(0, 10)
