import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import sale from '#content/samples/sale.json' with { type: 'json' }
import { staffInvitationStates } from '#contract/people/staff-invitations.ts'
import { tokenStates } from '#contract/people/api-tokens.ts'
import { ambassadorProfileStates } from '#contract/people/ambassador-profiles.ts'
import { ambassadorStates } from '#contract/people/ambassadors.ts'
import { ambassadorStandings } from '#contract/people/console-ambassador-profiles.ts'
import { announcementStates } from '#contract/publishing/announcements.ts'
import { api } from '#contract/api.ts'
import { attentionItems, type AttentionItem } from '#contract/console/console-home.ts'
import { mailStates } from '#contract/platform/console-mails.ts'
import { memberNoteKinds } from '#contract/people/console-members.ts'
import { consoleStepKinds, orderFlags } from '#contract/money/console-orders.ts'
import { DAY } from '#contract/platform/durations.ts'
import { kycStates, photoVerdicts } from '#contract/people/kyc.ts'
import { recoveryStates } from '#contract/people/account-recovery.ts'
import { subscriberEnds, subscriberStates } from '#contract/publishing/newsletter.ts'
import { orderStates } from '#contract/money/orders.ts'
import { chosenEventTypes, webhookBody } from '#contract/integrations/webhook-events.ts'
import { deliveryStates as webhookDeliveryStates, webhookStates } from '#contract/integrations/webhooks.ts'
import { deliveryStates, holdReasons } from '#contract/money/deliveries.ts'
import { payoutStates } from '#contract/money/payouts.ts'
import { roundStates } from '#contract/money/sale-rounds.ts'
import { withdrawalStates } from '#contract/money/withdrawals.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { listFrozenItems } from '#api/money/payouts/payout.queries.ts'
import { hashOf, textOfRun } from '#api/money/payouts/run-hash.rules.ts'
import { verifyAudit } from '#api/platform/audit/verify-audit.ts'
import { applyPublished } from '#api/publishing/content/editing/apply-published.ts'
import type { DB } from '#api/platform/db/rows.ts'
import { seedDemo, type SampleMember } from '#demo/seed-demo.ts'

let started: TestApi
let samples: SampleMember[]
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  started = await startApi({}, (end) => ends.push(end))
  Object.assign(started.services.config, { isDemo: true, hasDemoWorld: true })
  samples = await seedDemo(started.services)
})
afterAll(async () => {
  for (const end of ends) await end()
})

const accountOf = (title: string) => samples.find((sample) => sample.title === title)!

const signedIn = async ({ email, password }: Pick<SampleMember, 'email' | 'password'>) => {
  const answer = await started.call(api.signIn, { body: { email, password } })
  expect(answer.status).toBe(200)
  return { token: (answer.body as { token: string }).token }
}
const as = (title: string) => signedIn(accountOf(title))

const rowsOf = async (table: keyof DB): Promise<Record<string, unknown>[]> =>
  started.services.db.selectFrom(table).selectAll().execute()
const valuesIn = async (table: keyof DB, column: string) =>
  new Set((await rowsOf(table)).map((row) => row[column]))

test('there are two hundred people and sixty orders, over ten weeks', async () => {
  const invited = (await rowsOf('staff_invitation')).filter(({ accepted_at }) => accepted_at === null).length
  const people = (await rowsOf('member_summary')).length - samples.length - invited
  expect(people).toBe(200)
  expect(await rowsOf('token_order')).toHaveLength(60)
  const members = await rowsOf('member')
  expect(members.filter(({ active }) => active === false).length).toBeGreaterThan(5)
  expect(await valuesIn('member', 'language')).toEqual(new Set(['en', 'cn']))
  expect(await valuesIn('member_summary', 'has_factor')).toEqual(new Set([true, false]))
  const latest = members.filter(({ created_at }) => (created_at as Date).getTime() > Date.now() - 28 * DAY)
  expect(latest.length).toBeGreaterThan(60)
  expect(latest.length).toBeLessThan(150)
})

test('nothing has happened that is still to come, nor before its cause', async () => {
  const past: [keyof DB, string][] = [
    ['member', 'activated_at'],
    ['member', 'closed_at'],
    ['sign_in', 'at'],
    ['audit_entry', 'at'],
    ['order_step', 'at'],
    ['delivery', 'created_at'],
    ['delivery', 'held_at'],
    ['delivery', 'cancelled_at'],
    ['payout_run', 'frozen_at'],
    ['payout_run', 'approved_at'],
    ['payout_run', 'first_exported_at'],
    ['payout_run', 'cancel_proposed_at'],
    ['payout_run', 'cancelled_at'],
    ['payout_export', 'at'],
    ['payout_item', 'sent_at'],
    ['payout_item', 'confirmed_at'],
    ['kyc_step', 'at'],
    ['lost_factor', 'asked_at'],
    ['lost_factor', 'confirmed_at'],
    ['staff_note', 'at'],
    ['mail', 'created_at'],
    ['mail', 'changed_at'],
    ['token_order', 'updated_at'],
    ['token_order', 'paid_at'],
    ['kyc_application', 'decided_at'],
    ['setting_version', 'at'],
    ['content_version', 'at'],
    ['content_piece', 'published_at'],
    ['content_draft', 'saved_at'],
    ['content_release', 'proposed_at'],
    ['ambassador_application', 'updated_at'],
    ['subscriber', 'asked_at'],
    ['subscriber', 'consented_at'],
    ['subscriber', 'ended_at'],
    ['api_token', 'created_at'],
    ['api_token', 'last_used_at'],
    ['api_token', 'revoked_at'],
    ['webhook_endpoint', 'last_delivered_at'],
    ['webhook_event', 'created_at'],
    ['webhook_delivery', 'changed_at'],
  ]
  for (const [table, column] of past) {
    const times = (await rowsOf(table)).map((row) => row[column]).filter((at) => at !== null) as Date[]
    expect(times.length, `${table}.${column}`).toBeGreaterThan(0)
    expect(Math.max(...times.map(Number)), `${table}.${column}`).toBeLessThan(Date.now() + 1000)
  }
  const { db } = started.services
  const bought = await db
    .selectFrom('token_order')
    .innerJoin('kyc_application', 'kyc_application.member_id', 'token_order.member_id')
    .select(['token_order.created_at as at', 'kyc_application.status', 'decided_at'])
    .execute()
  expect(bought).toHaveLength(60)
  // One approval has expired since.
  const approved = bought.filter(({ status }) => status === 'approved')
  expect(approved).toHaveLength(59)
  expect(approved.filter(({ at, decided_at }) => !decided_at || decided_at > at)).toEqual([])
  const frozen = await db
    .selectFrom('payout_item')
    .innerJoin('payout_run', 'payout_run.id', 'payout_item.run_id')
    .innerJoin('delivery', 'delivery.id', 'payout_item.delivery_id')
    .select(['frozen_at', 'due_at'])
    .execute()
  expect(frozen.length).toBeGreaterThan(10)
  expect(frozen.filter(({ frozen_at, due_at }) => due_at > frozen_at)).toEqual([])
  const joined = await db
    .selectFrom('kyc_application')
    .innerJoin('member', 'member.id', 'kyc_application.member_id')
    .select(['kyc_application.created_at as at', 'activated_at'])
    .execute()
  expect(joined.filter(({ at, activated_at }) => !activated_at || activated_at > at)).toEqual([])
  const lost = await db
    .selectFrom('lost_factor')
    .innerJoin('totp', 'totp.member_id', 'lost_factor.member_id')
    .select(['asked_at', 'totp.confirmed_at as had_since'])
    .execute()
  expect(lost).toHaveLength(recoveryStates.length)
  expect(lost.filter(({ asked_at, had_since }) => had_since! > asked_at)).toEqual([])
})

test.each<[string, keyof DB, string, readonly string[]]>([
  ['orders', 'token_order', 'status', orderStates],
  ['steps of orders', 'order_step', 'kind', consoleStepKinds.filter((kind) => kind !== 'placed')],
  ['withdrawals', 'order_withdrawal', 'state', withdrawalStates],
  ['identity cases', 'kyc_application', 'status', kycStates],
  ['verdicts about documents', 'kyc_photo', 'verdict', photoVerdicts],
  ['applications of ambassadors', 'ambassador_application', 'status', ambassadorStates],
  ['profiles of ambassadors', 'ambassador_profile', 'state', ambassadorProfileStates],
  ['posts', 'announcement', 'state', announcementStates],
  ['lost factors', 'lost_factor', 'state', recoveryStates],
  ['subscriptions to the news', 'subscriber', 'state', subscriberStates],
  ['ends of subscriptions', 'subscriber', 'ended_by', subscriberEnds],
  ['notes', 'staff_note', 'kind', memberNoteKinds],
  ['webhooks', 'webhook_endpoint', 'state', webhookStates],
])('%s are there in every state', async (_, table, column, states) => {
  const found = await valuesIn(table, column)
  expect([...states].filter((state) => !found.has(state))).toEqual([])
})

/** No chain is monitored unless its node is configured. */
const ofChains: readonly string[] = [
  'ready_to_complete',
  'payment_gone',
  'payment_unexpected',
  'new_price',
  'program_limit',
]

test('orders have every flag, and mails every state that lasts', async () => {
  const finance = await as('finance 1')
  for (const flag of orderFlags.filter((flag) => !ofChains.includes(flag))) {
    const { body } = await started.call(api.listConsoleOrders, { query: { flag } }, finance)
    expect(body.length, flag).toBeGreaterThan(0)
  }
  const admin = await as('admin')
  const lasting = mailStates.filter((state) => state !== 'sending')
  for (const state of lasting) {
    const { body } = await started.call(api.listMails, { query: { state } }, admin)
    expect(body.length, state).toBeGreaterThan(0)
  }
})

test('deliveries and payout runs are there in every state, and deliveries are on hold for every reason', async () => {
  const finance = await as('finance 1')
  const { call } = started
  const deliveries = []
  for (const state of deliveryStates) {
    const { body } = await call(api.listDeliveries, { query: { state, limit: 100 } }, finance)
    expect(body.length, state).toBeGreaterThan(0)
    deliveries.push(...body)
  }
  // No one's account is erased in the demo data, and no node is read.
  const reasons = holdReasons.filter((reason) => !['account_erased', 'seen_on_chain'].includes(reason))
  expect(new Set(deliveries.flatMap(({ hold }) => hold ?? []))).toEqual(new Set(reasons))
  const runs = (await call(api.listPayouts, { query: { limit: 100 } }, finance)).body
  expect(new Set(runs.map(({ state }) => state))).toEqual(new Set(payoutStates))
  expect((await call(api.getPayoutHold, {}, finance)).body).toEqual({ hold: null })
})

test('rounds are there in every state, with guests, a bonus, and vesting plans', async () => {
  const coins = await as('coins 2')
  const { call } = started
  const rounds = (await call(api.listSaleRounds, { query: {} }, coins)).body
  expect(new Set(rounds.map(({ state }) => state))).toEqual(new Set(roundStates))
  expect(rounds.filter(({ sold }) => Number(sold) > 0).length).toBeGreaterThan(1)
  expect((await call(api.listRoundGuests, { query: {} }, coins)).body.length).toBeGreaterThan(2)
  const [vested] = await started.services.db
    .selectFrom('delivery')
    .select('order_id')
    .where('tranche', '=', 4)
    .execute()
  const finance = await as('finance 1')
  const parts = (await call(api.getOrderDeliveries, { params: { id: vested!.order_id } }, finance)).body
  expect(parts.deliveries.length).toBeGreaterThan(3)
  expect(parts.deliveries.map(({ state }) => state)).toContain('scheduled')
})

test('deliveries can be paid out while the withdrawal period of a demo applies', async () => {
  const { config } = started.services
  const { withdrawals } = config
  onTestFinished(() => void Object.assign(config, { withdrawals }))
  config.withdrawals = { ...withdrawals, days: 14 }
  const { body } = await started.call(api.previewPayout, { body: { filters: {} } }, await as('finance 2'))
  expect(body.count).toBeGreaterThanOrEqual(2)
})

test('the hash of each payout run is that of its deliveries', async () => {
  const { db } = started.services
  const runs = await db.selectFrom('payout_run').selectAll().execute()
  expect(runs.length).toBeGreaterThan(0)
  for (const { id, number, network, contract, decimals, hash } of runs) {
    const items = await listFrozenItems(db, id)
    expect(hashOf(textOfRun({ number, network, contract, decimals, items }))).toBe(hash)
  }
})

test('each list has something for the operator whose list it is', async () => {
  const employee1 = await as('employee 1')
  const employee2 = await as('employee 2')
  const finance = await as('finance 1')
  const news = await as('news 1')
  const coins = await as('coins 1')
  const admin = await as('admin')
  const { call } = started
  const answers = {
    members: await call(api.listConsoleMembers, { query: {} }, employee1),
    mails: await call(api.listMails, { query: {} }, employee1),
    lostFactors: await call(api.listRecoveryRequests, {}, employee2),
    deliveries: await call(api.listDeliveries, { query: {} }, finance),
    payouts: await call(api.listPayouts, { query: {} }, finance),
    orders: await call(api.listConsoleOrders, { query: {} }, finance),
    cases: await call(api.listKycCases, { query: {} }, finance),
    posts: await call(api.listNewsroomPosts, { query: {} }, news),
    versions: await call(api.listSettingVersions, { query: {} }, coins),
    record: await call(api.listRecord, { query: {} }, admin),
    content: await call(api.listContentVersions, { query: {} }, news),
    subscribers: await call(api.listSubscribers, { query: {} }, employee1),
  }
  for (const [list, { status, body }] of Object.entries(answers)) {
    expect(status, list).toBe(200)
    expect(body.length, list).toBeGreaterThan(2)
  }
})

test('everything that may wait for somebody waits for one of them', async () => {
  const found = new Set<AttentionItem>()
  for (const title of ['admin', 'finance 2', 'employee 2', 'news 2', 'coins 2'])
    for (const { what, count } of (await started.call(api.listNeedsAttention, {}, await as(title))).body)
      if (count > 0 && what !== 'orders_any') found.add(what)
  // Changes of addresses, and of official entries, require four-eyes approval only if the settings say so.
  const asked = [
    'orders_ready',
    'orders_payment_gone',
    'orders_payment_unexpected',
    'payouts_unmatched',
    'sale_proposals',
    'content_proposals',
  ]
  expect(attentionItems.filter((what) => !found.has(what))).toEqual(asked)
})

test('content was published, is begun, and waits for its time; none of it breaks a rule', async () => {
  const news = await as('news 1')
  const { body: pieces } = await started.call(api.listContentItems, {}, news)
  expect(pieces.filter(({ problems }) => problems > 0)).toEqual([])
  expect(pieces.filter(({ isPublished }) => isPublished).length).toBeGreaterThan(1)
  expect(pieces.filter(({ hasDraft, waiting }) => hasDraft && !waiting)).toHaveLength(1)
  const { body: waiting } = await started.call(api.listContentReleases, {}, news)
  expect(waiting).toMatchObject([{ state: 'scheduled', pieces: ['facts/roadmap.json'] }])
  await applyPublished(started.services)
  expect(started.services.content.words('cn', 'help')!['help.manuals.intro']).toContain('SHA-256')
})

test('the documents of a case open', async () => {
  const finance = await as('finance 2')
  const [of] = (
    await started.call(api.listKycCases, { query: { assignee: 'me', status: 'in_review' } }, finance)
  ).body
  const { body } = await started.call(api.getKycCase, { params: { id: of!._id } }, finance)
  expect(body.photos).toHaveLength(3)
  const picture = await started.call(api.getKycPhoto, { params: { id: of!._id, n: 0 } }, finance)
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/jpeg'])
})

test('the sample member has a verified identity and no order yet, and places one at once', async () => {
  const member = await as('member')
  const home = async () => (await started.call(api.readMemberHome, {}, member)).body
  expect(await home()).toMatchObject({
    email: 'confirmed',
    identity: { status: 'approved' },
    sale: { isOpen: true },
    hasOrder: false,
  })
  expect((await started.call(api.listConsents, {}, member)).body.due).toEqual([])
  const { code, minAmount } = sale.payMethods[0]!
  const quote = await started.call(api.createQuote, { body: { payMethod: code, amount: minAmount } }, member)
  expect(quote).toMatchObject({ status: 201, body: { payMethod: code, amount: minAmount } })
  const order = await started.call(api.createOrder, { body: { quoteId: quote.body.quoteId } }, member)
  expect(order).toMatchObject({ status: 201, body: { status: 'pending', fabQty: Number(quote.body.fabQty) } })
  expect(await home()).toMatchObject({ hasOrder: true, openOrders: [{ id: order.body._id, state: 'pay' }] })
  const cases = (await rowsOf('kyc_application')).filter(({ email }) => email === accountOf('member').email)
  expect(cases).toMatchObject([{ full_name: 'Sample member', photo_count: 1, status: 'approved' }])
})

test('the audit log is whole', async () => {
  const verdict = await verifyAudit(started.services.db)
  expect(verdict.brokenAt).toBeNull()
  expect(verdict.entries).toBeGreaterThan(300)
})

test('a second start adds nothing, and prints no password', async () => {
  const count = async () => [(await rowsOf('member')).length, (await rowsOf('token_order')).length]
  const before = await count()
  expect(await seedDemo(started.services)).toEqual([])
  expect(await count()).toEqual(before)
})

test('ambassadors that the public sees are complete in both languages, and their links lead nowhere', async () => {
  const { body: listed } = await started.call(api.listAmbassadors, {})
  expect(listed).toHaveLength(3)
  for (const { slug, name, place, link } of listed) {
    const { body } = await started.call(api.getAmbassador, { params: { slug } })
    const { sentence, languages } = body.profile!
    expect(languages.length, slug).toBeGreaterThan(0)
    const words = [name, place, sentence].flatMap(({ en, cn }) => [en, cn])
    expect(words.filter((text) => text === '' || /sample|示例|样本/i.test(text))).toEqual([])
    expect(new URL(link).hostname).toMatch(/\.example$/)
  }
})

test('people sign in with the password of the sample member, and what there is of them is erased', async () => {
  const { password } = accountOf('member')
  const { db } = started.services
  for (const part of ['token_order', 'kyc_application', 'mail'] as const) {
    const { id, email } = await db
      .selectFrom('member')
      .selectAll()
      .where('id', 'in', db.selectFrom(part).select('member_id').where('member_id', 'is not', null))
      .where('id', 'not in', db.selectFrom('totp').select('member_id'))
      .where('active', '=', true)
      // The sample member, whose account other tests use, has an address at the project's domain.
      .where('email', 'like', '%@people.example')
      .limit(1)
      .executeTakeFirstOrThrow()
    const { status } = await started.call(
      api.eraseMember,
      { body: { current: password } },
      await signedIn({ email, password }),
    )
    expect([part, status]).toEqual([part, 200])
    const left = await db.selectFrom('member').select('email').where('id', '=', id).executeTakeFirst()
    expect(left?.email).toContain('erased.invalid')
  }
})

test('ambassadors stand in every state, each with the application that made them one', async () => {
  const token = await as('admin')
  const listed = await started.call(api.listConsoleAmbassadors, { query: { limit: 100 } }, token)
  expect(new Set(listed.body.map(({ standing }) => standing))).toEqual(new Set(ambassadorStandings))
  const board = await started.call(api.readApplicationBoard, {}, token)
  const accepted = board.body.columns.find(({ status }) => status === 'accepted')!
  expect(accepted.rows.filter(({ ambassadorId }) => ambassadorId === null)).toEqual([])
})

test('tokens stand in every state, and one was tried from elsewhere', async () => {
  const token = await as('admin')
  const { body } = await started.call(api.listApiTokens, { query: { limit: 100 } }, token)
  expect(new Set(body.map(({ state }) => state))).toEqual(new Set(tokenStates))
  expect(body.filter(({ lastRefused }) => lastRefused?.why === 'address')).toHaveLength(1)
  expect(body.filter(({ overlapUntil }) => overlapUntil !== null)).toHaveLength(1)
})

test('there are invitations of colleagues in every state', async () => {
  const { body } = await started.call(api.listStaffInvitations, {}, await as('admin'))
  expect(new Set(body.map(({ state }) => state))).toEqual(new Set(staffInvitationStates))
})

test('what webhooks were told stands in every state that lasts, and nothing of it is sent', async () => {
  const token = await as('admin')
  const { body: webhooks } = await started.call(api.listWebhooks, {}, token)
  const found = new Set<string>()
  const told = new Set<string>()
  for (const { id, url, state, waiting } of webhooks) {
    expect(new URL(url).hostname).toMatch(/\.example$/)
    if (state === 'active') expect(waiting).toBe(0)
    const log = []
    for (const type of chosenEventTypes) {
      const query = { type, limit: 100 }
      log.push(...(await started.call(api.listWebhookDeliveries, { params: { id }, query }, token)).body)
    }
    expect(log.length, url).toBeGreaterThan(2)
    for (const { type, body, ...delivery } of log) {
      webhookBody(type).parse(JSON.parse(body))
      found.add(delivery.state)
      told.add(type)
    }
  }
  // The sample endpoints subscribe to every event except decisions on identity cases.
  expect(told).toEqual(new Set(chosenEventTypes.filter((type) => type !== 'case.decided')))
  expect(found).toEqual(new Set(webhookDeliveryStates.filter((state) => state !== 'sending')))
})

test('colleagues share views of lists, each with rows', async () => {
  const token = await as('admin')
  for (const list of ['orders', 'identity', 'members']) {
    const { body: views } = await started.call(api.listConsoleViews, { query: { list } }, token)
    const { body: counts } = await started.call(api.countConsoleViews, { query: { list } }, token)
    expect(views.filter(({ isShared, isOwn }) => isShared && !isOwn).length, list).toBeGreaterThan(0)
    expect(counts.map(({ id }) => id).toSorted()).toEqual(views.map(({ id }) => id).toSorted())
    expect(
      views.filter(({ id }) => counts.some((counted) => counted.id === id && counted.count === 0)),
    ).toEqual([])
  }
})
