import { shortDecimal } from '#contract/platform/decimal.ts'
import { flattenSale, methodPath, onlyCloses, rateChanges } from '#contract/money/flat-sale.ts'
import { currencyOf } from '#contract/money/orders.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import type { PayMethodInput, SaleInput, SaleSettings, SaleTerms } from '#contract/money/sale.ts'
import { changesBetween, type SettingChange } from '#contract/people/settings.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordFourEyes } from '../../people/four-eyes/record-changes.ts'
import { readSaleNeedsFourEyes } from '../../people/four-eyes/read-policy.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { keepVersion } from '../../people/settings/keep-version.ts'
import { readRateReferences, readSettings, readTerms } from './read-sale.ts'
import { endProposal, insertProposal } from './sale-proposal.queries.ts'
import { lockSale, recordPriceEditor, replaceSale } from './sale.queries.ts'
import { listRounds, listRoundsWithOrders } from './rounds.queries.ts'
import { problemsOfRounds, withShortDecimals } from './round.rules.ts'
import { problemsOfSale, withCheckedAddress } from './sale.rules.ts'
import { requireConfirmedRates } from './require-confirmed-rates.ts'
import { notifyAboutChanges } from './notify-about-changes.ts'
import { recordWithdrawnAddresses } from './withdrawn-addresses.ts'
import { recordWithdrawnPrices } from './withdrawn-prices.ts'

type Given = Omit<SaleInput, 'rounds' | 'payMethods'> & {
  rounds?: readonly SaleRound[] | undefined
  payMethods: readonly PayMethodInput[]
}

export type SaleContext = Pick<MemberContext, 'caller' | 'config' | 'keys'>

type Of = {
  lastUpdated?: string | null | undefined
  restoredId?: string
  confirmedRates?: Readonly<Record<string, string>> | undefined
}

/** Saves the settings, or proposes them if changes to the sale need four-eyes approval. */
export async function saveSale(
  db: Tx,
  context: SaleContext,
  given: Given,
  of: Of,
): Promise<{ settings: SaleSettings; isProposed: boolean }> {
  const { caller, config } = context
  const restoredId = of.restoredId ?? null
  const stored = await lockSale(db)
  if (of.lastUpdated !== undefined && of.lastUpdated !== (stored?.updated_at.toISOString() ?? null))
    throw new Refused('conflict')
  const before = await readTerms(db)
  const settings = asStored(given, before)
  const fields = [...problemsOfSale(settings, before), ...problemsOfRounds(settings, before)]
  if (fields.length > 0) throw new Refused('validation_failed', { fields })
  await requireRoundsWithOrders(db, settings)
  const after = {
    ...withoutPricesOfRemoved(settings),
    payMethods: settings.payMethods.map(withCheckedAddress),
  } as SaleTerms
  const changes = changesBetween(flattenSale(before), flattenSale(after))
  const references = await readRateReferences(db)
  requireConfirmedRates(
    after,
    rateChanges(before, after, references),
    of.confirmedRates ?? {},
    config.rateChangePercent,
  )
  // Receiving addresses determine where payments go, so changing them needs step-up authentication.
  caller.requireStepUp()
  const isProposed =
    changes.length > 0 && !onlyCloses(before, after) && (await readSaleNeedsFourEyes(db, config))
  await recordFourEyes(db, context)
  if (isProposed) await propose(db, context, { before, after, changes, restoredId })
  // The first save sets up the sale, even if it changes nothing.
  else if (!stored || changes.length > 0)
    await applySale(db, context, { after, by: caller.memberId, confirmedBy: null, restoredId })
  return { settings: await readSettings(db, config), isProposed }
}

/** Returns the settings as they will be read: omitted fields keep their values. */
const asStored = (given: Given, before: SaleTerms): SaleTerms => ({
  isOpen: given.isOpen,
  quoteMinutes: given.quoteMinutes,
  opensAt: given.opensAt === undefined ? before.opensAt : given.opensAt,
  closesAt: given.closesAt === undefined ? before.closesAt : given.closesAt,
  cap: decimalOr(given.cap, before.cap),
  memberCap: decimalOr(given.memberCap, before.memberCap),
  payMethods: given.payMethods.map((method) => ({
    ...method,
    currency: method.currency ?? currencyOf(method.code),
    rate: shortDecimal(method.rate),
    minAmount: shortDecimal(method.minAmount),
    maxAmount: shortDecimal(method.maxAmount),
  })),
  rounds: given.rounds?.map(withShortDecimals) ?? before.rounds ?? [],
})

/** A method takes its prices in rounds with it, so that it can be removed at once. */
const withoutPricesOfRemoved = ({ rounds = [], ...settings }: SaleTerms): SaleTerms => ({
  ...settings,
  rounds: rounds.map((round) => ({
    ...round,
    prices: round.prices.filter(({ code }) => settings.payMethods.some((method) => method.code === code)),
  })),
})

const decimalOr = (given: string | null | undefined, before: string | null): string | null =>
  given === undefined ? before : given === null ? null : shortDecimal(given)

/** Refuses to remove a round that has orders. An order can be placed while the removal waits for a second person. */
async function requireRoundsWithOrders(db: Tx, { rounds }: SaleTerms): Promise<void> {
  if (!rounds) return
  const removed = (await listRounds(db)).filter(({ id }) => !rounds.some((round) => round.id === id))
  const kept = await listRoundsWithOrders(
    db,
    removed.map(({ id }) => id),
  )
  if (kept.length > 0) throw new Refused('conflict', { fields: [{ path: 'rounds', code: 'has_orders' }] })
}

type Proposal = {
  before: SaleTerms
  after: SaleTerms
  changes: SettingChange[]
  restoredId: string | null
}

/** Proposes settings. The new proposal replaces an open one, because both are based on the same settings. */
async function propose(db: Tx, context: SaleContext, proposal: Proposal): Promise<void> {
  const { memberId } = context.caller
  const { before, after, changes, restoredId } = proposal
  await endProposal(db, { by: memberId, outcome: 'overtaken' })
  await insertProposal(db, { by: memberId, settings: after, changes, restoredId })
  const references = await readRateReferences(db)
  await notifyAboutChanges(db, context, 'proposed', {
    before,
    after,
    references,
    by: memberId,
    confirmedBy: null,
  })
  await recordAudit(db, {
    actorId: memberId,
    action: 'sale-change-proposed',
    subjectKind: 'sale',
    subjectId: null,
    detail: { fields: fieldsOf(changes, before, after) },
  })
}

/** Applies the settings in `after` and ends any open proposal. The caller holds the lock of the settings. */
export async function applySale(
  db: Tx,
  context: Pick<SaleContext, 'config' | 'keys'>,
  change: { after: SaleTerms; by: string; confirmedBy: string | null; restoredId: string | null },
): Promise<void> {
  const { by, confirmedBy, restoredId } = change
  const before = await readTerms(db)
  const isFirst = (await lockSale(db)) === undefined
  await requireRoundsWithOrders(db, change.after)
  const references = await readRateReferences(db)
  await replaceSale(db, change.after, by)
  const after = await readTerms(db)
  await endProposal(db, {
    by: confirmedBy ?? by,
    outcome: confirmedBy === null ? 'overtaken' : 'confirmed',
  })
  const [flatBefore, flatAfter] = [flattenSale(before), flattenSale(after)]
  const changes = changesBetween(flatBefore, flatAfter)
  // The approver of a price is also subject to the self-pricing restriction.
  if (changes.length > 0)
    for (const setter of [by, confirmedBy]) if (setter !== null) await recordPriceEditor(db, setter)
  if (changes.length > 0 || isFirst)
    await keepVersion(db, {
      subject: 'sale',
      by,
      confirmedBy,
      restoredId,
      before: flatBefore,
      after: flatAfter,
    })
  await recordWithdrawnPrices(db, context.config, after)
  await recordWithdrawnAddresses(db)
  await notifyAboutChanges(db, context, 'changed', { before, after, references, by, confirmedBy })
  await recordAudit(db, {
    actorId: confirmedBy ?? by,
    action: 'sale-updated',
    subjectKind: 'sale',
    subjectId: null,
    detail: {
      isOpen: after.isOpen,
      fields: fieldsOf(changes, before, after),
      ...(confirmedBy !== null && { proposedBy: by }),
    },
  })
}

/**
 * Lists the names of changed fields without values, for example `quoteMinutes`, `BTC.rate`, `rounds`, or `ETH` for an
 * added or removed method.
 */
function fieldsOf(changes: readonly SettingChange[], before: SaleTerms, after: SaleTerms): string[] {
  const has = (terms: SaleTerms, code: string) => terms.payMethods.some((method) => method.code === code)
  const rounds = [...(before.rounds ?? []), ...(after.rounds ?? [])]
  const names = changes.map(({ path }) => {
    if (rounds.some(({ id }) => path.startsWith(`${id}/`))) return 'rounds'
    const method = methodPath(path)
    return method && !(has(before, method.code) && has(after, method.code)) ? method.code : path
  })
  return [...new Set(names)].filter((name) => name !== 'payMethods' || names.length === 1)
}
