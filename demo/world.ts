import { createHash } from 'node:crypto'
import type { AuditAction, AuditSubject } from '#contract/platform/audit-actions.ts'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { MailKind } from '#api/platform/mail/mail-kinds.ts'
import type { SampleRound } from './rounds.ts'

/**
 * The demo data: sample people, and what they did over the last ten weeks. Each module inserts its own part and records
 * here what the audit log and the outbox should contain.
 */
export type SampleWorld = {
  now: number
  dice: Dice
  operators: Readonly<Record<OperatorName, string>>
  people: SamplePerson[]
  audit: SampleAudit[]
  mails: SampleMail[]
  /** The rounds in which orders were placed, except the first one. */
  rounds: readonly SampleRound[]
}

const operatorNames = [
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
  /** The number of the person, from 1. */
  n: number
  email: string
  name: string
  language: Language
  joinedAt: number
  /** Null if the address was never verified. */
  activatedAt: number | null
  closedAt: number | null
  /** When the identity was approved. */
  approvedAt: number | null
  hasFactor: boolean
  /** The role of the person in the demo data. Each person has only one. */
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

/** A delivered email. */
type SampleMail = {
  at: number
  to: Pick<SamplePerson, 'id' | 'email' | 'language'>
  kind: MailKind
  /** The order that it is about. */
  orderId?: string
}

type Dice = {
  /** Returns a number that is at least 0 and below 1. */
  next(): number
  /** Returns an integer between the bounds, both inclusive. */
  between(from: number, to: number): number
  oneOf<T>(things: readonly T[]): T
  isLucky(chance: number): boolean
}

/** The same sequence in every demo, so that a screen looks the same everywhere. */
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

/** Returns an hour between 7 and 23. The afternoon is the busiest time. */
const wakingHour = (dice: Dice): number => 7 + ((dice.next() + dice.next()) / 2) * 16

/** Returns a time so many days before today, during waking hours (UTC) and never in the future. */
export function someTime({ now, dice }: Pick<SampleWorld, 'now' | 'dice'>, daysAgo: number): number {
  const midnight = Math.floor(now / DAY) * DAY
  if (daysAgo === 0) return Math.round(midnight + dice.next() * Math.max(0, now - 10 * MINUTE - midnight))
  return Math.round(midnight - daysAgo * DAY + wakingHour(dice) * HOUR)
}

const digits = [...'零一二三四五六七八九']

/**
 * A number in Chinese numerals, up to 999. Sample names consist of characters only, so that no two of them are mistaken
 * for each other.
 */
function inChinese(n: number): string {
  if (n >= 100) {
    const rest = n % 100
    const joint = rest === 0 ? '' : rest < 10 ? '零' : rest < 20 ? '一' : ''
    return `${digits[Math.floor(n / 100)]}百${joint}${rest === 0 ? '' : inChinese(rest)}`
  }
  if (n < 10) return digits[n]!
  return `${n < 20 ? '' : digits[Math.floor(n / 10)]}十${n % 10 === 0 ? '' : digits[n % 10]}`
}

/** The number of applicants, who have the first numbers. */
export const applicantCount = 12
export const buyerCount = 20
/** The number of the sample member whose sign-in details are printed. The people of the demo data start at 1. */
export const memberNumber = 0

export const languageOf = (n: number): Language =>
  n !== memberNumber && (n % 3 === 0 || n % 7 === 1) ? 'cn' : 'en'

/** Returns the first name, the last name, and the full name. */
export function sampleName(n: number, language: Language): { first: string; last: string; whole: string } {
  if (n === memberNumber) return { first: 'Sample', last: 'member', whole: 'Sample member' }
  return language === 'cn'
    ? { first: `会员${inChinese(n)}`, last: '样本', whole: `样本会员${inChinese(n)}` }
    : { first: 'Sample', last: `Person ${n}`, whole: `Sample Person ${n}` }
}

/** Returns 32 bytes in hex that refer to nothing. The same words give the same hash. */
export const sampleHash = (words: string): string => createHash('sha256').update(words).digest('hex')
