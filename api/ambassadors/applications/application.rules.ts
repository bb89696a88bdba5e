import type { AmbassadorState } from '#contract/ambassadors.ts'
import { DAY } from '#contract/durations.ts'

/** How long a mailed link shows where an application stands; another application begins it anew. */
export const statusLinkLife = 90 * DAY

export const isOpen = (status: AmbassadorState): boolean => status === 'received' || status === 'in_review'
