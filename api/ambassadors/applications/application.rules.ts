import type { AmbassadorState } from '#contract/ambassadors.ts'
import { DAY } from '#contract/durations.ts'

/** How long an emailed link shows the status of an application, in milliseconds. Another application renews it. */
export const statusLinkLife = 90 * DAY

export const isOpen = (status: AmbassadorState): boolean => status === 'received' || status === 'in_review'
