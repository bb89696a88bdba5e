import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { api } from '#contract/api.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { transaction } from '#api/platform/db/database.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { insertOrderStep } from '#api/money/orders/order-history.queries.ts'
import { insertOrder, type OrderChange } from '#api/money/orders/order.queries.ts'
import { replaceSale } from '#api/money/sale/sale.queries.ts'
import { aSale, proveIdentity, saleSettings } from './builders.ts'
import { ownAddress } from './own-chain.ts'
import type { TestApi } from './setup/start-api.ts'
import { letProofAge } from './step-up.ts'
import { storeMembers, type StoredMember } from './stored-members.ts'
import { aWithdrawalRow } from './withdrawals.ts'

/**
 * Two finance members, a finance member with read access only, the owner of the order (with finance rights if they send
 * the request), and another member.
 */
export type Person = 'officer' | 'colleague' | 'reader' | 'owner' | 'member'

type Update = Omit<z.input<typeof api.updateOrder.body>, '_id'>

/** A finance member's request to change the order, or the whole record sent back with changes. */
type Request = { by?: Person; asks: Update; withWholeRecord?: true }

/** A line of a bank statement or payment list that a finance member imports. */
type ImportLine = { amount: string; txId?: string; date?: string; complete?: 'yes' }

/** What happens before the request, in the order given. */
export type Given =
  | Request
  | { seenOnChain: string; at: 'own address' | 'shared address' }
  | { otherOrder: OrderChange; of: Person; taken?: string }
  | { proposed: '4 days ago' }
  | { completedAlone: string; hoursAgo: number; by: Person }
  | { withdrawal: 'requested' | 'refused' }
  | { ownerSetPrices: '1 hour ago' | '25 hours ago' }
  | { sale: 'closed' | { cap: string } }
  | { reportsPayment: string }
  | { signedInLongAgo: Person }
  | { losesFinanceRight: Person }
  | { flags: ('reportedLate' | 'disputed')[] }
  | { paymentDropped: true }
  | { deadline: '1 hour ago' }

export type OrderChangeCase = {
  rule: string
  /** Settings that differ from the default of these cases: no four-eyes approval, and a tolerance of 1%. */
  settings?: { twoPersonsFrom: string | null | undefined }
  /** Fields that differ from the default: a pending order of 0.5 BTC for 60,000 tokens, quoted at 120,000, due in 24 hours. */
  order?: OrderChange
  given?: Given[]
  by?: Person
  asks?: Update
  withWholeRecord?: true
  /** Instead of `asks`, the finance member imports this line. */
  imports?: ImportLine
  /** `ok`, or the error code with the fields that it names. For an import, the effect of the line or its problem. */
  answer: string
  /** Columns of the order that changed. */
  after?: Record<string, string | boolean | null>
  history?: string[]
  audit?: string[]
  emails?: string[]
}

const received = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const quoted: OrderChange = {
  email: 'buyer@example.org',
  fabAddress: ownAddress,
  payMethod: 'BTC',
  amount: '0.5',
  fabQty: '60000',
  rate: '120000',
  payChain: 'bitcoin',
  currency: 'BTC',
  receivingAddress: received,
}

const today = new Date().toISOString().slice(0, 10)
const midnight = `${today}T00:00:00.000Z`
/** Shown as `<today>`. */
export const startOfToday = new Date(midnight)

let count = 0

/** Carries out one case through the API and returns everything that the request changed. */
export async function observeOrderChange(started: TestApi, given: OrderChangeCase) {
  count += 1
  const world = await makeWorld(started, given, count)
  try {
    return await world.observe()
  } finally {
    // Four-eyes approval can depend on the number of finance members, so each case has its own.
    const ids = Object.values(world.people).map(({ id }) => id)
    await started.services.db.updateTable('member').set({ active: false }).where('id', 'in', ids).execute()
  }
}

/** Only a member whose identity is approved gets a quoted rate, so the owner's is. */
async function storePeople(started: TestApi, by: Person): Promise<Record<Person, StoredMember>> {
  const [officer, colleague, reader, owner, member] = await storeMembers(started, [
    { manage_finance: 2 },
    { manage_finance: 2 },
    { manage_finance: 1 },
    { manage_finance: by === 'owner' ? 2 : 0 },
    {},
  ])
  await proveIdentity(started, owner!)
  return { officer: officer!, colleague: colleague!, reader: reader!, owner: owner!, member: member! }
}

async function makeWorld(started: TestApi, each: OrderChangeCase, number: number) {
  const {
    settings,
    order = {},
    given = [],
    by = 'officer',
    asks = {},
    withWholeRecord,
    imports: imported,
  } = each
  const { call, services, mailsTo } = started
  const { db, config } = services
  Object.assign(config, { twoPersonsFrom: null }, settings)
  await aSale(started)
  await db
    .updateTable('sale')
    .set({ opened_at: sql<Date>`now() - interval '30 days'` })
    .execute()
  const people = await storePeople(started, by)
  const nameOf = (id: string | null) =>
    id === null ? 'the program' : (Object.entries(people).find(([, each]) => each.id === id)?.[0] ?? id)

  /** `<tx A>` stands for a transaction ID of Bitcoin, `<0xtx A>` for one of Ethereum, `<today>` for the date. */
  const hashOf = (name: string) => createHash('sha256').update(`${number} ${name}`).digest('hex')
  const fillIn = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll('<today>', today)
        .replaceAll(/<tx (\w)>/g, (_, name: string) => hashOf(name))
        .replaceAll(/<0xtx (\w)>/g, (_, name: string) => `0x${hashOf(name)}`)
        .replaceAll(/<TX (\w)>/g, (_, name: string) => hashOf(name).toUpperCase()),
    ) as T
  const showIds = (text: string) =>
    ['A', 'B', 'C'].reduce(
      (shown, name) =>
        shown.replaceAll(`0x${hashOf(name)}`, `<0xtx ${name}>`).replaceAll(hashOf(name), `<tx ${name}>`),
      text
        .replaceAll(received, '<BTC address>')
        .replaceAll(ownAddress, '<token address>')
        .replaceAll(midnight, '<today>'),
    )

  const insert = async (member: StoredMember, fields: OrderChange) => {
    const { txId = '' } = fields
    const row = await insertOrder(db, member.id, fields, { payTime: config.orderPayTime, waits: true })
    if (txId) await insertOrderStep(db, row.id, { kind: 'payment_reported', by: member.id, txId })
    return row.id
  }
  const { paidAt, ...fields } = fillIn({ ...quoted, ...order })
  const id = await insert(people.owner, { ...fields, ...(paidAt && { paidAt: new Date(paidAt) }) })

  const reasons = new Set<string>()

  const show = (value: unknown): string | boolean | null => {
    if (value === null || typeof value === 'boolean') return value
    if (value instanceof Date) return value.toISOString() === midnight ? '<today>' : showTime(value)
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (/^\d+\.\d+$/.test(text)) return shortDecimal(text)
    return Object.values(people).some((each) => each.id === text) ? nameOf(text) : showIds(text)
  }

  async function ask({ by = 'officer', asks: body, withWholeRecord }: Request): Promise<string> {
    if (body.reason) reasons.add(body.reason)
    const record = withWholeRecord
      ? (await call(api.getOrder, { params: { id } }, { token: people.officer.token })).body
      : {}
    const answer = await call(
      api.updateOrder,
      { body: fillIn({ ...record, ...body, _id: id }) },
      { token: people[by].token },
    )
    if (answer.status === 200) return 'ok'
    const { code, errors = [] } = answer.problem
    return [code, ...errors.map((error) => `${error.path} ${error.code}`)].join(', ')
  }

  async function importLine(
    by: Person,
    { amount, txId = '', date = '', complete }: ImportLine,
  ): Promise<string> {
    const { reference, updated_at } = await db
      .selectFrom('token_order')
      .select(['reference', 'updated_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const csv = `reference,txId,amount,date,complete\n${reference},${fillIn(txId)},${amount},${fillIn(date)},${complete ?? ''}\n`
    const { body } = await call(
      api.importOrderPayments,
      {
        body: {
          file: Buffer.from(csv).toString('base64'),
          seen: [{ id, updatedAt: updated_at.toISOString() }],
        },
      },
      { token: people[by].token },
    )
    return [
      ...body.lines.map(({ effect }) => effect as string),
      ...body.problems.map(({ column, problem, value }) => showIds(`${column} ${problem} ${value}`)),
    ].join(', ')
  }

  async function happens(each: Given): Promise<void> {
    if ('asks' in each) {
      const answer = await ask(each)
      if (answer !== 'ok') throw new Error(`the earlier request was answered ${answer}`)
    } else if ('seenOnChain' in each) await showOnChain(each.seenOnChain, each.at)
    else if ('otherOrder' in each) {
      const other = await insert(people[each.of], fillIn({ ...quoted, ...each.otherOrder }))
      if (each.taken)
        await insertOrderStep(db, other, {
          kind: 'transaction_taken',
          by: people.colleague.id,
          txId: fillIn(each.taken),
        })
    } else if ('proposed' in each)
      await change({ completion_proposed_at: sql<Date>`now() - interval '4 days'` })
    else if ('completedAlone' in each) {
      const other = await insert(people.member, { ...quoted, status: 'completed' })
      const step = { kind: 'completed', by: people[each.by].id, aloneQuantity: each.completedAlone } as const
      await insertOrderStep(db, other, step)
      await db
        .updateTable('order_step')
        .set({ at: sql<Date>`now() - ${each.hoursAgo} * interval '1 hour'` })
        .where('order_id', '=', other)
        .execute()
    } else if ('withdrawal' in each) {
      await aWithdrawalRow(started, id)
      await db
        .updateTable('order_withdrawal')
        .set({ state: each.withdrawal })
        .where('order_id', '=', id)
        .execute()
    } else if ('ownerSetPrices' in each)
      await db
        .insertInto('sale_setter')
        .values({
          member_id: people.owner.id,
          changed_at: sql<Date>`now() - ${each.ownerSetPrices.replace(' ago', '')}::interval`,
        })
        .execute()
    else if ('sale' in each)
      await transaction(db, (tx) =>
        replaceSale(
          tx,
          saleSettings(
            each.sale === 'closed'
              ? { isOpen: false }
              : { ...each.sale, opensAt: new Date(Date.now() - HOUR).toISOString() },
          ),
          null,
        ),
      )
    else if ('reportsPayment' in each)
      await call(
        api.reportPayment,
        { params: { id }, body: { txId: fillIn(each.reportsPayment) } },
        { token: people.owner.token },
      )
    else if ('signedInLongAgo' in each) await letProofAge(started, people[each.signedInLongAgo])
    else if ('losesFinanceRight' in each)
      await updateMemberRow(db, people[each.losesFinanceRight].id, { manage_finance: 1 })
    else if ('flags' in each)
      await change({
        is_reported_late: each.flags.includes('reportedLate'),
        is_disputed: each.flags.includes('disputed'),
      })
    else if ('paymentDropped' in each) await change({ payment_dropped_at: sql<Date>`now()` })
    else await change({ pay_before: sql<Date>`now() - interval '1 hour'` })
  }

  const change = (values: Record<string, unknown>) =>
    db.updateTable('token_order').set(values).where('id', '=', id).execute()

  /**
   * Writes what the blockchain monitor would write about a final payment, to the sale's address or to the order's own
   * address.
   */
  async function showOnChain(amount: string, at: 'own address' | 'shared address'): Promise<void> {
    if (at === 'own address') {
      const address = `bc1own${number}`
      const account = { id: 'an account', coin: 'BTC', next_position: 1000 }
      await db
        .insertInto('chain_account')
        .values(account)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await db
        .insertInto('chain_address')
        .values({
          coin: 'BTC',
          target: address,
          address,
          order_id: id,
          account_id: account.id,
          position: number,
        })
        .execute()
      await change({ receiving_address: address })
    }
    await db
      .insertInto('chain_payment')
      .values({ order_id: id, coin: 'BTC', state: 'paid', received: amount })
      .execute()
  }

  const hidden = new Set([
    'id',
    'member_id',
    'reference',
    'created_at',
    'updated_at',
    'completion_seen',
    'tx_key',
    'tx_key_version',
  ])

  async function readEverything() {
    const row = await db.selectFrom('token_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const steps = await db
      .selectFrom('order_step')
      .selectAll()
      .where('order_id', '=', id)
      .orderBy('id')
      .execute()
    const entries = await db
      .selectFrom('audit_entry')
      .selectAll()
      .where('subject_id', '=', id)
      .where('action', '!=', 'order-viewed')
      .orderBy('id')
      .execute()
    const addresses = Object.values(people).map(({ email }) => email)
    const mails = await db
      .selectFrom('mail')
      .select('to_address')
      .where('to_address', 'in', addresses)
      .distinct()
      .execute()
    const reached = new Set(mails.map(({ to_address }) => to_address))
    const emails = {} as Record<Person, string[]>
    for (const [name, { email }] of Object.entries(people))
      emails[name as Person] = (reached.has(email) ? await mailsTo(email) : [])
        .filter(({ kind }) => /^(staff-)?order-/.test(kind))
        .map(({ kind, text }) =>
          [
            `${kind} to ${name}`,
            ...[...reasons].filter((reason) => text.includes(reason)).map((reason) => `“${reason}”`),
          ].join(', '),
        )
    return {
      order: Object.fromEntries(
        Object.entries(row)
          .filter(([column]) => !hidden.has(column))
          .map(([column, value]) => [column, show(value)]),
      ),
      history: steps.map((step) =>
        [
          `${step.kind} by ${nameOf(step.by_member_id)}`,
          ...(step.reason ? [`“${step.reason}”`] : []),
          ...(step.tx_id ? [showIds(step.tx_id)] : []),
          ...(step.changes as { field: string; before: string | null; after: string | null }[]).map(
            ({ field, before, after }) => showIds(`${field}: ${before ?? '–'} → ${after ?? '–'}`),
          ),
          ...(step.alone_quantity === null ? [] : [`${shortDecimal(step.alone_quantity)} tokens alone`]),
        ].join(', '),
      ),
      audit: entries.map(({ action, actor_id, detail }) => {
        const {
          status,
          fields: names,
          changes = [],
        } = detail as Record<string, string[] | undefined> & {
          status?: string
        }
        return [
          `${action} by ${nameOf(actor_id)}`,
          ...(status ? [status] : []),
          ...(names ? [`fields ${names.join(' ')}`] : []),
          ...changes.map(showIds),
        ].join(', ')
      }),
      emails,
    }
  }

  async function observe() {
    for (const each of given) await happens(each)
    const before = await readEverything()
    const answer = imported
      ? await importLine(by, imported)
      : await ask({ asks, by, ...(withWholeRecord && { withWholeRecord }) })
    const after = await readEverything()
    return {
      answer,
      after: Object.fromEntries(
        Object.entries(after.order).filter(([column, value]) => before.order[column] !== value),
      ),
      history: after.history.slice(before.history.length),
      audit: after.audit.slice(before.audit.length),
      emails: Object.entries(after.emails).flatMap(([person, kinds]) =>
        kinds.slice(before.emails[person as Person].length),
      ),
    }
  }

  return { people, observe }
}

/** Times near now are shown in whole hours, so that a case can name them. */
function showTime(time: Date): string {
  const hours = Math.round((time.getTime() - Date.now()) / HOUR)
  if (hours === 0) return 'now'
  if (Math.abs(hours) > 24 * 7) return time.toISOString()
  return hours > 0 ? `in ${hours} hours` : `${-hours} hours ago`
}
