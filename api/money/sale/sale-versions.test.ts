import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const keeper = await aSignedInMember(started, { manage_coins: 2, display_name: 'Keeper' })
const reader = await aSignedInMember(started, { manage_coins: 1 })
const admin = await aSignedInMember(started, { is_write_access_admin: true })
const support = await aSignedInMember(started, { manage_employee: 1 })
/** Prevents the address from becoming a link. */
const inMail = (email: string) => email.replace('@', ' @ ').replace('.', '. ')
const as = (by: TestMember) => ({ token: by.token })

const [btc, eth] = saleSettings().payMethods as [
  ReturnType<typeof saleSettings>['payMethods'][number],
  ReturnType<typeof saleSettings>['payMethods'][number],
]
const otherAddress = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
const write = (fields: Parameters<typeof saleSettings>[0] & { lastUpdated?: string | null } = {}) =>
  call(api.updateSaleSettings, { body: saleSettings(fields) }, as(keeper))
const read = async () => (await call(api.getSaleSettings, {}, as(keeper))).body
type Query = Parameters<typeof call<typeof api.listSettingVersions>>[1]['query']
const versions = async (query: Query = {}) =>
  (await call(api.listSettingVersions, { query }, as(reader))).body
const restore = (id: string, lastUpdated: string | null, by = keeper) =>
  call(api.restoreSettingVersion, { params: { id }, body: { lastUpdated } }, as(by))

test('stores every change with the values before and after, author, and time', async () => {
  await aSale(started)
  await write({ payMethods: [{ ...btc, rate: '130000' }, eth] })
  const [newest, first] = await versions()
  expect(newest).toMatchObject({
    subject: 'sale',
    by: { id: keeper.id, name: 'Keeper' },
    confirmedBy: null,
    changes: [{ path: 'BTC.rate', from: '120000', to: '130000' }],
  })
  // Settings made by the system itself are a version that can be restored.
  expect(first).toMatchObject({ by: null, changes: [] })
  const whole = await call(api.getSettingVersion, { params: { id: newest!.id } }, as(reader))
  expect(whole.body.isCurrent).toBe(true)
  expect(whole.body.state).toContainEqual({ path: 'BTC.rate', value: '130000' })
  expect(whole.body.state).toContainEqual({ path: 'BTC.receivingAddress', value: btc.receivingAddress })
})

test('finds who changed a coin’s rate on a day by field, coin, and day', async () => {
  await write({ payMethods: [{ ...btc, rate: '131000' }, eth] })
  await write({ quoteMinutes: 30, payMethods: [{ ...btc, rate: '131000' }, eth] })
  const today = new Date().toISOString().slice(0, 10)
  const rates = await versions({ field: 'rate', method: 'btc', from: today, to: today })
  expect(rates.map(({ changes }) => changes[0]!.to)).toEqual(['131000', '130000'])
  expect(await versions({ field: 'rate', method: 'ETH' })).toEqual([])
  expect(await versions({ field: 'rate', to: '2020-01-01' })).toEqual([])
  expect((await versions({ field: 'quoteMinutes' })).map(({ changes }) => changes)).toEqual([
    [{ path: 'quoteMinutes', from: '15', to: '30' }],
  ])
  expect((await versions({ sort: 'at' })).map(({ id }) => id)).toEqual(
    (await versions()).map(({ id }) => id).toReversed(),
  )
  const page = await call(api.listSettingVersions, { query: { limit: 2 } }, as(reader))
  expect(page.body).toHaveLength(2)
  const after = /after=([^&>]+)/.exec(String(page.headers['link']))![1]!
  expect((await versions({ limit: 2, after })).map(({ id }) => id)).toEqual(
    (await versions()).slice(2, 4).map(({ id }) => id),
  )
})

test('a save without changes is no change', async () => {
  const before = [await versions(), await read()]
  expect((await call(api.updateSaleSettings, { body: await read() }, as(keeper))).status).toBe(200)
  expect([await versions(), await read()]).toEqual(before)
})

test('restoring a version is a change like any other', async () => {
  await write({ quoteMinutes: 15 })
  const target = (await versions())[0]!
  await write({ isOpen: false, quoteMinutes: 45, payMethods: [btc] })
  const { lastUpdated } = await read()
  expect((await restore(target.id, '2020-01-01T00:00:00.000Z')).problem.code).toBe('conflict')
  expect((await restore('nothing', lastUpdated)).status).toBe(404)
  expect((await restore(target.id, lastUpdated, reader)).problem.code).toBe('forbidden')
  expect((await restore(target.id, lastUpdated)).body).toEqual({ isProposed: false })
  expect(await read()).toMatchObject(saleSettings())
  const [newest] = await versions()
  expect(newest).toMatchObject({ restoredId: target.id, by: { id: keeper.id } })
  expect(newest!.changes).toContainEqual({ path: 'quoteMinutes', from: '45', to: '15' })
})

test('restoring needs step-up authentication, like every change', async () => {
  const old = await aSignedInMember(started, { manage_coins: 2 })
  await letProofAge(started, old)
  const [{ id } = { id: '' }] = await versions()
  const { lastUpdated } = (await call(api.getSaleSettings, {}, as(reader))).body
  expect((await restore(id, lastUpdated, old)).problem.code).toBe('step_up_required')
  const record = (await call(api.getAppRecord, {}, as(reader))).body
  const { isEdited: _, lastUpdated: __, ...given } = record
  const body = { ...given, contact: 'another@example.org' }
  const saved = await call(api.updateAppRecord, { body }, as(old))
  expect(saved.problem.code).toBe('step_up_required')
})

test('emails a new receiving address to administrators and colleagues, and shows it to staff for a day', async () => {
  await write()
  const told = async (member: TestMember) =>
    (await mailsTo(member.email)).filter(({ kind }) => kind === 'sale-address-changed')
  const before = (await told(admin)).length
  await write({ payMethods: [{ ...btc, receivingAddress: otherAddress }, eth] })
  for (const member of [admin, keeper]) {
    const mail = (await told(member)).at(-1)!
    expect(mail.text).toContain(`BTC: ${btc.receivingAddress} → ${otherAddress}`)
    // Members can choose any display name.
    expect(mail.text).toContain(`${inMail(keeper.email)} changed`)
    expect(mail.text).not.toContain('Keeper')
  }
  // Each recipient gets the link that their role can open.
  expect((await told(keeper)).at(-1)!.text).toContain('/console/sale')
  expect((await told(admin)).at(-1)!.text).toContain('/console/record?kind=sale')
  expect(await told(support)).toEqual([])
  const shown = (await call(api.listAddressChanges, {}, as(support))).body
  expect(shown[0]).toMatchObject({
    code: 'BTC',
    from: btc.receivingAddress,
    to: otherAddress,
    by: { name: 'Keeper' },
  })
  await services.db
    .updateTable('setting_version')
    .set({ at: new Date(Date.now() - 25 * 3_600_000) })
    .execute()
  expect((await call(api.listAddressChanges, {}, as(support))).body).toEqual([])
  // Rates and times don't redirect payments.
  await write({ quoteMinutes: 20, payMethods: [{ ...btc, receivingAddress: otherAddress, rate: '1' }, eth] })
  expect(await told(admin)).toHaveLength(before + 1)
  expect((await call(api.listAddressChanges, {}, as(support))).body).toEqual([])
})

test('exports a line for each changed value, with step-up and without formulas', async () => {
  const boss = await aSignedInMember(started, { manage_coins: 2, display_name: '=cmd("x")' })
  await call(
    api.updateSaleSettings,
    {
      body: {
        ...saleSettings({ quoteMinutes: 7, payMethods: [{ ...btc, rate: '7' }, eth] }),
        confirmedRates: { BTC: '7' },
      },
    },
    as(boss),
  )
  const query = { subject: 'sale', sort: '-at' } as const
  const answer = await call(api.exportSettingVersions, { query }, as(reader))
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(String(answer.headers['content-disposition'])).toContain('sale-changes-')
  const [head, ...lines] = String(answer.body).trim().split('\r\n')
  expect(head!.replace('\uFEFF', '')).toBe('id,at,by,confirmedBy,subject,restoredId,setting,from,to')
  const [{ id, at, changes } = { id: '', at: '', changes: [] }] = await versions({ subject: 'sale' })
  expect(changes.length).toBeGreaterThan(1)
  const ofBoss = `${id},${at},"'=cmd(""x"")",,sale,,`
  expect(lines.slice(0, changes.length)).toEqual(
    changes.map(({ path, from, to }) => `${ofBoss}${path},${from},${to}`),
  )
  const rates = String(
    (await call(api.exportSettingVersions, { query: { ...query, field: 'rate' } }, as(reader))).body,
  )
  expect(
    new Set(
      rates
        .trim()
        .split('\r\n')
        .map((line) => line.split(',')[0]),
    ).size - 1,
  ).toBe((await versions({ subject: 'sale', field: 'rate' })).length)
  const stale = await aSignedInMember(started, { manage_coins: 1 })
  await letProofAge(started, stale)
  expect((await call(api.exportSettingVersions, { query }, as(stale))).problem.code).toBe('step_up_required')
})
