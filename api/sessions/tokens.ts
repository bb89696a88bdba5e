import { DAY, HOUR, MINUTE } from '#contract/durations.ts'
import { randomSecret } from '../keys.ts'

export const accessTokenLife = 15 * MINUTE

/** How long a session lives at most, and unused. Staff sessions are shorter. */
export const memberSession = { life: 30 * DAY, idle: 7 * DAY }
export const staffSession = { life: 12 * HOUR, idle: 2 * HOUR }

/**
 * How many a member has at most; the oldest go. Far more than people have browsers, and than programs that sign in anew for
 * each of their workers have workers.
 */
export const sessionsMax = 100
export const devicesMax = 100

/** 256 bits each, opaque. */
export const newAccessToken = (): string => randomSecret(32)
export const newRefreshToken = (): string => randomSecret(32)
export const newXsrfToken = (): string => randomSecret(32)

/** Several windows that each refresh every ten minutes, and pages that are loaded anew in between. */
export const refreshesOfDayMax = 2000

/**
 * How many replaced refresh tokens a session remembers, besides all that were replaced within a day: the limit of a day
 * keeps those as few.
 */
export const spentTokensKept = refreshesOfDayMax

/** How long a replaced refresh token still serves: windows refresh side by side, and answers are slow. */
export const refreshGrace = MINUTE
