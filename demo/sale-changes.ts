import { multiplyDown, parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import { flattenSale } from '#contract/money/flat-sale.ts'
import { changesBetween, type FlatSettings, type SettingSubject } from '#contract/people/settings.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { SampleWorld } from './world.ts'
import { readTerms } from '#api/money/sale/read-sale.ts'

const tuesday = 2
const ratePlaces = 8

/** Returns the given minute (UTC) of the day that was so many days ago. */
const timeOf = (now: number, daysAgo: number, minutes: number): number =>
  Math.floor(now / DAY) * DAY - daysAgo * DAY + minutes * MINUTE

/** Returns the time 09:40 (UTC) on the Tuesday before today. */
const lastTuesday = (now: number): number =>
  timeOf(now, (new Date(now).getUTCDay() - tuesday + 7) % 7 || 7, 580)

/** Past rates as fractions of today's rate, and when each took effect. The price of the tokens fell twice. */
const ratesSince = (now: number) => [
  { at: timeOf(now, 63, 491), share: '0.9' },
  { at: timeOf(now, 41, 923), share: '0.95' },
  { at: lastTuesday(now), share: '1' },
]

/** Returns the rate at that time, based on today's rate. */
export function sampleRateAt(now: number, at: number, rate: string): string {
  const { share } = ratesSince(now).findLast((each) => each.at <= at) ?? ratesSince(now)[0]!
  return writeDecimal(multiplyDown(parseDecimal(rate), parseDecimal(share), ratePlaces))
}

/** Inserts the versions of the settings that led to today's settings. */
export async function insertSampleChanges(db: Tx, world: SampleWorld): Promise<void> {
  const { admin, coins2 } = world.operators
  const terms = await readTerms(db)
  const today = flattenSale(terms)
  const asOf = (at: number, quoteMinutes: string): FlatSettings => ({
    ...today,
    quoteMinutes,
    ...Object.fromEntries(
      terms.payMethods.map(({ code, rate }) => [`${code}.rate`, sampleRateAt(world.now, at, rate)]),
    ),
  })
  const [first, second, third] = ratesSince(world.now).map(({ at }) => at)
  const shorter = timeOf(world.now, 24, 674)
  const states = [
    { at: first!, by: null, after: asOf(first!, '30') },
    { at: second!, by: admin, after: asOf(second!, '30') },
    { at: shorter, by: coins2, after: asOf(shorter, today['quoteMinutes'] ?? '15') },
    { at: third!, by: coins2, after: today },
  ]
  await insertSampleVersions(
    db,
    states.map((state, index) => ({
      ...state,
      subject: 'sale',
      before: states[index - 1]?.after ?? state.after,
    })),
  )
  for (const [index, { at, by, after }] of states.entries())
    if (by !== null)
      world.audit.push({
        at,
        actorId: by,
        action: 'sale-updated',
        subjectKind: 'sale',
        subjectId: null,
        detail: {
          isOpen: terms.isOpen,
          fields: changesBetween(states[index - 1]!.after, after).map(({ path }) => path),
        },
      })
  await backdateSale(db, coins2, new Date(third!))
}

/** Backdates the current settings, as if they had been set at that time. */
async function backdateSale(db: Tx, by: string, at: Date): Promise<void> {
  await db.updateTable('sale').set({ updated_by: by, updated_at: at }).execute()
}

type SampleVersion = {
  at: number
  subject: SettingSubject
  by: string | null
  before: FlatSettings
  after: FlatSettings
}

async function insertSampleVersions(db: Tx, versions: readonly SampleVersion[]): Promise<void> {
  await db
    .insertInto('setting_version')
    .values(
      versions.map(({ at, subject, by, before, after }) => ({
        at: new Date(at),
        subject,
        by_member_id: by,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        changes: JSON.stringify(changesBetween(before, after)),
      })),
    )
    .execute()
}
