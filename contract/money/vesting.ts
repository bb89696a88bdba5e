import * as z from 'zod/mini'
import { decimalPlaces, parseDecimal, tokenPlaces, writeDecimal } from '../platform/decimal.ts'
import { DAY } from '../platform/durations.ts'
import { percentPattern } from '../platform/patterns.ts'

/** The maximum number of parts after the first one. */
const partsMax = 120
export const vestingUnits = ['days', 'months'] as const
const periodMax = 3650

/** From 0 to 100, with up to 2 decimal places. Checks of what contains it don't run for other text. */
export const percent = z.string().check(z.regex(percentPattern, { error: 'number', abort: true }))
const unit = z.enum(vestingUnits, 'one_of')
const count = (min: number, max: number) =>
  z.int('number').check(z.gte(min, 'too_little'), z.lte(max, 'too_much'))

const inTranches = z.strictObject({
  kind: z.literal('tranches'),
  parts: z
    .array(z.strictObject({ after: count(1, periodMax), unit, percent }))
    .check(z.minLength(1, 'too_few'), z.maxLength(partsMax, 'too_many')),
})

const linear = z.strictObject({
  kind: z.literal('linear'),
  /** Before the period of the first part begins. */
  wait: count(0, periodMax),
  parts: count(1, partsMax),
  unit,
})

// Apart from its checks, because they take its type.
const planShape = z.strictObject({
  first: percent,
  later: z.nullable(z.discriminatedUnion('kind', [inTranches, linear])),
})
export type VestingPlan = z.infer<typeof planShape>

/**
 * When the tokens of an order are delivered: `first` percent at completion, the rest in tranches with a percentage each,
 * or in equal parts.
 */
export const vestingPlan = planShape.check(({ value, issues }) => {
  if (!isWhole(value)) issues.push({ code: 'custom', input: value, path: ['first'], message: 'not_whole' })
  const late = firstUnordered(value)
  if (late >= 0)
    issues.push({
      code: 'custom',
      input: value,
      path: ['later', 'parts', late, 'after'],
      message: 'not_ascending',
    })
})

/** The plan of an order without one: all tokens at completion. */
export const allAtOnce: VestingPlan = { first: '100', later: null }

/** Time from completion to a part; null at completion. */
type Offset = { after: number; unit: (typeof vestingUnits)[number] } | null
type Slot = { tranche: number; offset: Offset; weight: bigint }

const whole = 10_000n

/** Parses a percentage into hundredths of a percent. */
function hundredths(text: string): bigint {
  const [integer = '0', fraction = ''] = text.split('.')
  return BigInt(integer) * 100n + BigInt(fraction.padEnd(2, '0'))
}

function isWhole({ first, later }: VestingPlan): boolean {
  if (later === null) return hundredths(first) === whole
  if (later.kind === 'linear') return hundredths(first) < whole
  return later.parts.reduce((sum, part) => sum + hundredths(part.percent), hundredths(first)) === whole
}

/**
 * The first part that is not due after the one before it, or -1. A month has 28 to 31 days, so parts in different units
 * are in order only if they are for every month.
 */
function firstUnordered({ later }: VestingPlan): number {
  if (later?.kind !== 'tranches') return -1
  return later.parts.findIndex((part, index) => {
    const before = later.parts[index - 1]
    if (!before) return false
    if (before.unit === part.unit) return before.after >= part.after
    return before.after * (before.unit === 'days' ? 1 : 31) >= part.after * (part.unit === 'days' ? 1 : 28)
  })
}

/** Lists the parts of a plan with their shares of the whole. A part without a share does not exist. */
function slotsOf({ first, later }: VestingPlan): Slot[] {
  const share = hundredths(first)
  const rest = later === null ? [] : later.kind === 'tranches' ? tranchesOf(later) : linearParts(later, share)
  const factor = later?.kind === 'linear' ? BigInt(later.parts) : 1n
  return [{ tranche: 1, offset: null, weight: share * factor }, ...rest].filter(({ weight }) => weight > 0n)
}

const tranchesOf = ({ parts }: z.infer<typeof inTranches>): Slot[] =>
  parts.map((part, index) => ({
    tranche: index + 2,
    offset: { after: part.after, unit: part.unit },
    weight: hundredths(part.percent),
  }))

const linearParts = ({ wait, parts, unit: per }: z.infer<typeof linear>, share: bigint): Slot[] =>
  Array.from({ length: parts }, (_, index) => ({
    tranche: index + 2,
    offset: { after: wait + index + 1, unit: per },
    weight: whole - share,
  }))

/** A part as it is shown before an order is completed. */
export const tranche = z.object({
  /** After the completion of the order. */
  dueAfter: z.object({ count: z.number(), unit }),
  /** Tokens as exact decimal text. */
  amount: z.string(),
})
export type Tranche = z.infer<typeof tranche>

export type VestedPart = { tranche: number; amount: bigint; offset: Offset }

const step = 10n ** BigInt(decimalPlaces - tokenPlaces)
const roundDown = (value: bigint): bigint => (value / step) * step

/**
 * Splits tokens, in units of 10^-18, over the parts of a plan whose numbers are not taken. Each part is rounded down to
 * the token's smallest unit; the last one has the remainder, and a part of 0 is left out. If all numbers are taken, one
 * more part follows at the time of the last one.
 */
export function splitByPlan(
  total: bigint,
  plan: VestingPlan,
  taken: ReadonlySet<number> = new Set(),
): VestedPart[] {
  if (total <= 0n) return []
  const all = slotsOf(plan)
  const open = all.filter(({ tranche }) => !taken.has(tranche))
  const slots = open.length > 0 ? open : [{ ...all.at(-1)!, tranche: Math.max(...taken) + 1 }]
  const isLinear = plan.later?.kind === 'linear'
  const sum = slots.reduce((weights, { weight }) => weights + weight, 0n)
  let left = total
  // Equal parts share what the first part leaves, so that they stay equal.
  let equal: bigint | undefined
  return slots
    .map(({ tranche, offset, weight }, index) => {
      const isLast = index === slots.length - 1
      if (isLinear && offset !== null) equal ??= roundDown(left / BigInt(slots.length - index))
      const amount = isLast ? left : (equal ?? roundDown((total * weight) / sum))
      left -= amount
      return { tranche, amount, offset }
    })
    .filter(({ amount }) => amount > 0n)
}

/** Lists the parts of a quantity for people who do not have an order yet. */
export const splitTokens = (quantity: string, plan: VestingPlan): Tranche[] =>
  splitByPlan(parseDecimal(quantity), plan).map(({ offset, amount }) => ({
    dueAfter: { count: offset?.after ?? 0, unit: offset?.unit ?? 'days' },
    amount: writeDecimal(amount),
  }))

/**
 * Returns when a part is due: days or calendar months after the order was completed, in UTC. In a month without that day
 * it is due on the last day of the month.
 */
export function dueAfter(completedAt: Date, offset: Offset): Date {
  if (offset === null) return completedAt
  if (offset.unit === 'days') return new Date(completedAt.getTime() + offset.after * DAY)
  const due = new Date(completedAt)
  due.setUTCDate(1)
  due.setUTCMonth(due.getUTCMonth() + offset.after)
  const lastDay = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 0)).getUTCDate()
  due.setUTCDate(Math.min(completedAt.getUTCDate(), lastDay))
  return due
}
