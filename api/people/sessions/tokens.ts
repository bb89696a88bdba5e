import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import { randomSecret } from '../../platform/keys.ts'

export const accessTokenLife = 15 * MINUTE

/** Maximum lifetime of a session, and its maximum time without use, in milliseconds. Staff sessions are shorter. */
export const memberSession = { life: 30 * DAY, idle: 7 * DAY }
export const staffSession = { life: 12 * HOUR, idle: 2 * HOUR }

/**
 * The maximum number per member; the oldest end. Far more than people have browsers, or programs have workers
 * that each sign in.
 */
export const sessionsMax = 100
export const devicesMax = 100

/** 256 random bits each, without structure. */
export const newAccessToken = (): string => randomSecret(32)
export const newRefreshToken = (): string => randomSecret(32)
export const newXsrfToken = (): string => randomSecret(32)

/** Enough for several windows that refresh every ten minutes, and for pages reloaded in between. */
export const refreshesOfDayMax = 2000

/**
 * How many replaced refresh tokens a session remembers, in addition to all replaced within a day, which the
 * daily limit keeps to the same number.
 */
export const spentTokensKept = refreshesOfDayMax

/**
 * How long a replaced refresh token stays valid, because windows refresh in parallel and answers are slow. In
 * milliseconds.
 */
export const refreshGrace = MINUTE
