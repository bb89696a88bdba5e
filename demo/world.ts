import { createHash } from 'node:crypto'
import type { AuditAction, AuditSubject } from '#contract/audit-actions.ts'
import { DAY, HOUR, MINUTE } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import type { MailPlaceholders } from '#api/placeholders.ts'

/**
 * What a demo begins with: sample people, and what they did over the last ten weeks. Each noun inserts its own part, beside
 * its other code, and notes here what the audit log and the outbox are to say of it.
 */
export type SampleWorld = {
  now: number
  dice: Dice
  operators: Readonly<Record<OperatorName, string>>
  people: SamplePerson[]
  audit: SampleAudit[]
  mails: SampleMail[]
}

export const operatorNames = [
  'admin',
  'news1',
  'news2',
  'employee1',
  'employee2',
  'finance1',
  'finance2',
  'coins1',
  'coins2',
] as const
export type OperatorName = (typeof operatorNames)[number]

export type SamplePerson = {
  id: string
  /** From 1 on, as the name says. */
  n: number
  email: string
  name: string
  language: Language
  joinedAt: number
  /** Null where the address was never confirmed. */
  activatedAt: number | null
  closedAt: number | null
  /** When the identity was approved. */
  approvedAt: number | null
  hasFactor: boolean
  /** What else the person is in the world for: nobody is in it for two things. */
  part: 'none' | 'applicant' | 'buyer' | 'lost factor'
}

export type SampleAudit = {
  at: number
  actorId: string | null
  action: AuditAction
  subjectKind: AuditSubject
  subjectId: string | null
  detail?: Record<string, string | number | boolean | string[]>
}

/** One that was delivered. */
export type SampleMail = {
  at: number
  to: Pick<SamplePerson, 'id' | 'email' | 'language'>
  kind: keyof MailPlaceholders
}

export type Dice = {
  /** At least 0, below 1. */
  next(): number
  /** A whole number of both bounds and between. */
  between(from: number, to: number): number
  oneOf<T>(things: readonly T[]): T
  isLucky(chance: number): boolean
}

/** The same throws in every demo: a screen is the same wherever it is looked at. */
export function makeDice(seed = 20_261): Dice {
  let state = seed
  // Mulberry32 by Tommy Ettinger, in the public domain.
  const next = () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    between,
    oneOf: (things) => things[between(0, things.length - 1)]!,
    isLucky: (chance) => next() < chance,
  }
}

/** People are awake from about seven to eleven, and busiest in the afternoon. */
export const wakingHour = (dice: Dice): number => 7 + ((dice.next() + dice.next()) / 2) * 16

/** So many days before today, at a waking hour of UTC; never in the future. */
export function someTime({ now, dice }: Pick<SampleWorld, 'now' | 'dice'>, daysAgo: number): number {
  const midnight = Math.floor(now / DAY) * DAY
  if (daysAgo === 0) return Math.round(midnight + dice.next() * Math.max(0, now - 10 * MINUTE - midnight))
  return Math.round(midnight - daysAgo * DAY + wakingHour(dice) * HOUR)
}

const digits = [...'零一二三四五六七八九']

/** As Chinese counts, up to 999: names of letters alone, so that no two of them are taken for one. */
function inChinese(n: number): string {
  if (n >= 100) {
    const rest = n % 100
    const joint = rest === 0 ? '' : rest < 10 ? '零' : rest < 20 ? '一' : ''
    return `${digits[Math.floor(n / 100)]}百${joint}${rest === 0 ? '' : inChinese(rest)}`
  }
  if (n < 10) return digits[n]!
  return `${n < 20 ? '' : digits[Math.floor(n / 10)]}十${n % 10 === 0 ? '' : digits[n % 10]}`
}

/** Whose identity is or was looked at; their numbers are the first ones. */
export const applicantCount = 12
export const buyerCount = 20

export const languageOf = (n: number): Language => (n % 3 === 0 || n % 7 === 1 ? 'cn' : 'en')

/** First and last name, and how they are written as one. */
export function sampleName(n: number, language: Language): { first: string; last: string; whole: string } {
  return language === 'cn'
    ? { first: '样本', last: `会员${inChinese(n)}`, whole: `样本会员${inChinese(n)}` }
    : { first: 'Sample', last: `Person ${n}`, whole: `Sample Person ${n}` }
}

/** Thirty-two bytes that name nothing: the same for the same words. */
export const sampleHash = (words: string): string => createHash('sha256').update(words).digest('hex')
