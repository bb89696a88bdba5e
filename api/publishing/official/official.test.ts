import { createHash, verify } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import {
  addImpersonator,
  addOfficialEntry,
  updateImpersonator,
  exportChannels,
  listChannels,
  listOfficialSources,
  withdrawImpersonator,
  withdrawOfficialEntry,
  type EntryInput,
} from '#contract/publishing/console-official.ts'
import { checkOfficial, readOfficialList, type OfficialDocument } from '#contract/publishing/official.ts'
import { listSigningKeys } from '#contract/publishing/signatures.ts'
import { aSale, aSignedInMember, saleSettings } from '#tests/builders.ts'
import { ownBrand } from '#tests/own-brand.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'

const started = await startApi(
  { PUBLIC_URL: 'https://coin.example', MAIL_FROM: 'Coin <news@coin.example>' },
  afterAll,
)
const { call, services, mailsTo } = started
const editor = as(await aSignedInMember(started, { manage_news: 2 }))
const keeperMember = await aSignedInMember(started, { manage_coins: 2 })
const keeper = as(keeperMember)
const watcher = await aSignedInMember(started, { is_write_access_admin: true })

let clients = 0
const aClient = () => `10.200.${clients >> 8}.${clients++ & 255}`

const ask = async (text: string, on: TestApi = started) => {
  const answer = await on.call(checkOfficial, { body: { text } }, { ip: aClient() })
  expect(answer.status).toBe(200)
  return answer.body
}
const aFalse = (value: string, more: Partial<EntryInput> = {}) =>
  call(addImpersonator, { body: { kind: 'domain', value, note: 'Pretends an airdrop.', ...more } }, editor)
const anOfficial = (value: string, more: Partial<EntryInput> = {}) =>
  call(addOfficialEntry, { body: { kind: 'domain', value, note: 'Status page', ...more } }, keeper)
const problemsOf = ({ problem }: { problem: { errors?: { code: string }[] } }) =>
  problem.errors?.map(({ code }) => code)

test('channels from content, settings, and sale are ours', async () => {
  await aSale(started)
  const address = saleSettings().payMethods[0]!.receivingAddress
  const { phone, social, links } = ownBrand
  // Whichever of these the project has.
  const ofContent = [
    [phone, 'phone'] as const,
    [Object.values(social)[0], 'social'] as const,
    [links.exchange ?? links.blog, 'link'] as const,
    [links.wallet.ios, 'wallet'] as const,
  ].flatMap(([text, role]) => (text === undefined ? [] : [[text, role] as const]))
  for (const [text, role] of [
    ['https://coin.example/news', 'site'],
    [ownBrand.email, 'contact'],
    ['news@coin.example', 'sender'],
    [address, 'receiving'],
    ...ofContent,
  ] as const)
    expect([text, await ask(text)]).toMatchObject([
      text,
      { verdict: 'official', isDisguised: false, official: { role } },
    ])
  const { body } = await call(listOfficialSources, {}, editor)
  expect(body.map(({ role }) => role)).toContain('document')
  const addressesOf = (sources: typeof body) =>
    sources.flatMap(({ role, value }) => (role === 'receiving' ? [value] : []))
  expect(new Set(addressesOf(body))).toEqual(new Set(['']))
  expect(addressesOf((await call(listOfficialSources, {}, keeper)).body)).toContain(address)
})

test('shows an impersonation with its note and date, also below it and in any spelling, until removed', async () => {
  const added = await aFalse('https://Evil-Airdrop.example/', { evidence: 'https://proof.example/1' })
  expect(added).toMatchObject({ status: 201, body: { value: 'evil-airdrop.example', standing: 'false' } })
  const { addedAt: since, id } = added.body
  for (const text of [
    'evil-airdrop.example',
    'http://www.evil-airdrop.example/x?y',
    'Help <me@EVIL-airdrop.example>',
  ])
    expect(await ask(text)).toMatchObject({
      verdict: 'false',
      official: null,
      known: { value: 'evil-airdrop.example', note: 'Pretends an airdrop.', since },
    })
  expect(JSON.stringify(await ask('evil-airdrop.example'))).not.toContain('proof.example')
  expect((await call(withdrawImpersonator, { params: { id }, body: null }, editor)).status).toBe(200)
  expect(await ask('evil-airdrop.example')).toMatchObject({ verdict: 'unknown', known: null })
  expect((await call(withdrawImpersonator, { params: { id }, body: null }, editor)).problem.code).toBe(
    'conflict',
  )
})

test('finds each kind in any notation, and lists it once', async () => {
  for (const [kind, value, again, pasted] of [
    ['domain', 'twice.example', 'https://TWICE.example', 'sub.twice.example'],
    ['link', 'https://host.example/a/b', 'host.example/a/b/', 'https://host.example/a/b/c'],
    ['email', 'Bad@Mail.example', 'bad@mail.example', 'Coin <bad+x@mail.example>'],
    ['handle', 'https://t.me/coin_bad', 'telegram.me/Coin_Bad', '@coin_bad'],
    ['phone', '+44 20 7946 0000', '0044 (20) 7946-0000', 'tel:+442079460000'],
    [
      'coin',
      '0x52908400098527886E0F7030069857D2E4169EE7',
      '0x52908400098527886e0f7030069857d2e4169ee7',
      'ethereum:0x52908400098527886E0F7030069857D2E4169EE7@1',
    ],
  ] as const) {
    expect([kind, (await aFalse(value, { kind })).status]).toEqual([kind, 201])
    expect([kind, problemsOf(await aFalse(again, { kind }))]).toEqual([kind, ['already_listed']])
    expect([kind, (await ask(pasted)).verdict]).toEqual([kind, 'false'])
  }
})

test('identifies a link by its query and an account by its kind, without covering neighbors', async () => {
  const store = 'https://store.example/apps?id='
  expect((await anOfficial(`${store}org.ours&hl=en`, { kind: 'link', note: 'App' })).body).toMatchObject({
    value: `${store}org.ours`,
  })
  expect((await ask(`${store}org.ours`)).verdict).toBe('official')
  expect((await ask(`${store}com.evil`)).verdict).toBe('unknown')
  expect((await aFalse(`${store}com.evil`, { kind: 'link' })).status).toBe(201)
  expect(problemsOf(await aFalse(`${store}com.evil&hl=cn`, { kind: 'link' }))).toEqual(['already_listed'])
  expect(problemsOf(await aFalse('https://store.example/apps', { kind: 'link' }))).toEqual([
    'listed_otherwise',
  ])
  expect(problemsOf(await aFalse(`${store}org.ours`, { kind: 'link' }))).toEqual(['listed_otherwise'])
  expect((await ask(`store.example/apps?x=1&id=com.evil`)).verdict).toBe('false')
  expect((await ask(`${store}org.ours`)).verdict).toBe('official')
  await anOfficial('https://linkedin.com/company/our-coin', { kind: 'handle', note: 'LinkedIn' })
  expect((await ask('https://www.linkedin.com/company/our-coin/about')).verdict).toBe('official')
  expect((await ask('https://www.linkedin.com/in/our-coin')).verdict).toBe('unknown')
  await aFalse('https://facebook.com/profile.php?id=7', { kind: 'link' })
  expect((await ask('m.facebook.com/profile.php?id=7')).verdict).toBe('false')
  expect((await ask('facebook.com/profile.php?id=8')).verdict).toBe('unknown')
})

test.each([
  ['domain', 'https://x.com'],
  ['link', 'https://x.com'],
  ['handle', 'https://x.com/ourcoin/status/1'],
  ['domain', 'com'],
  ['domain', 'a.example/b'],
  ['link', 'nothing'],
  ['handle', 'https://somewhere.example/name'],
  ['email', 'nobody'],
  ['phone', '555 0100'],
  ['coin', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
] as const)('%s: %s is not of its kind', async (kind, value) => {
  expect(problemsOf(await aFalse(value, { kind }))).toEqual(['not_of_kind'])
})

test('nothing is both official and an impersonation', async () => {
  expect(problemsOf(await aFalse('coin.example'))).toEqual(['listed_otherwise'])
  expect(problemsOf(await aFalse(ownBrand.email.split('@')[1]!))).toEqual(['listed_otherwise'])
  await aFalse('both.example')
  expect(problemsOf(await anOfficial('sub.both.example'))).toEqual(['listed_otherwise'])
  await anOfficial('status-of-coin.example')
  expect(problemsOf(await aFalse('status-of-coin.example'))).toEqual(['listed_otherwise'])
})

test('adding an official channel needs step-up, and sale managers are notified', async () => {
  const other = await aSignedInMember(started, { manage_coins: 2 })
  await letProofAge(started, other)
  const body = { kind: 'domain' as const, value: 'more.example', note: 'More' }
  expect((await call(addOfficialEntry, { body }, as(other))).problem.code).toBe('step_up_required')
  const { body: added } = await anOfficial('more.example', { note: 'More' })
  expect(await ask('https://more.example')).toMatchObject({
    verdict: 'official',
    official: { role: 'added', name: 'More' },
  })
  const mails = await mailsTo(watcher.email)
  expect(mails.at(-1)).toMatchObject({ kind: 'official-changed' })
  // Addresses in our emails are split up, so that none of them becomes a link.
  expect(mails.at(-1)?.text).toContain('more. example')
  expect(mails.at(-1)?.text).toContain(keeperMember.email.split('@')[0])
  await call(withdrawOfficialEntry, { params: { id: added.id }, body: null }, keeper)
  expect((await ask('https://more.example')).verdict).toBe('unknown')
  expect((await mailsTo(watcher.email)).length).toBe(mails.length + 1)
})

test('rejects a change based on an outdated entry', async () => {
  const { body } = await aFalse('changing.example')
  const change = (lastUpdated: string, value: string) =>
    call(
      updateImpersonator,
      { params: { id: body.id }, body: { kind: 'domain', value, note: 'Now', lastUpdated } },
      editor,
    )
  const changed = await change(body.lastUpdated, 'changed.example')
  expect(changed).toMatchObject({ status: 200, body: { value: 'changed.example', note: 'Now' } })
  expect((await change(body.lastUpdated, 'other.example')).problem.code).toBe('conflict')
})

test('adds an entry once if two people add it at once', async () => {
  const answers = await Promise.all([aFalse('race.example'), aFalse('RACE.example'), aFalse('race.example')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
})

test('the list is searched, filtered, and exported', async () => {
  await aFalse('needle.example', { note: '=HYPERLINK("x")' })
  const found = await call(
    listChannels,
    { query: { q: 'NEEDLE', kind: 'domain', standing: 'false' } },
    editor,
  )
  expect(found.body.map(({ value }) => value)).toEqual(['needle.example'])
  const file = await call(exportChannels, { query: { q: 'needle' } }, editor)
  expect(String(file.body)).toContain(`needle.example,"'=HYPERLINK(""x"")"`)
  expect((await call(listChannels, { query: { q: '%' } }, editor)).body).toEqual([])
})

/** Verifies the list like a third party would, with only the two files. */
async function verified(on: TestApi = started): Promise<OfficialDocument> {
  const { body } = await on.call(readOfficialList, {})
  const keys = (await on.call(listSigningKeys, {})).body
  const { pem } = keys.find(({ keyId }) => keyId === body.keyId)!
  const signature = Buffer.from(body.signature, 'base64')
  expect(verify(null, Buffer.from(body.document), pem, signature)).toBe(true)
  expect(verify(null, Buffer.from(body.document.replace('coin', 'c0in')), pem, signature)).toBe(false)
  return JSON.parse(body.document) as OfficialDocument
}

test('the signed list is current in every instance, and contains no receiving address', async () => {
  await aSale(started)
  const other = await startAnotherInstance(started)
  const before = await verified(other)
  expect(before).toMatchObject({ list: 'official', site: 'https://coin.example' })
  expect(Date.parse(before.expiresAt) - Date.parse(before.issuedAt)).toBe(7 * 24 * 3600 * 1000)
  expect(Math.abs(Date.now() - Date.parse(before.issuedAt))).toBeLessThan(3600 * 1000)
  const address = saleSettings().payMethods.find(({ chain }) => chain === 'ethereum')!.receivingAddress
  expect(JSON.stringify(before)).not.toContain(address)
  const sha256 = createHash('sha256').update(address.toLowerCase()).digest('hex')
  expect(before.entries).toContainEqual({ kind: 'coin', role: 'receiving', name: 'ETH', value: '', sha256 })
  await anOfficial('signed.example', { note: 'Signed' })
  const entry = { kind: 'domain', role: 'added', name: 'Signed', value: 'signed.example' }
  expect(before.entries).not.toContainEqual(entry)
  expect((await verified(other)).entries).toContainEqual(entry)
  expect((await verified()).entries).toContainEqual(entry)
  services.content.override(new Map([['brand.json', { email: 'new@coin.example' }]]))
  expect((await verified()).entries).toContainEqual({
    kind: 'email',
    role: 'contact',
    name: '',
    value: 'new@coin.example',
  })
  services.content.override(new Map())
})

test('limits each client separately, and rejects long, empty, or invalid texts', async () => {
  const ip = aClient()
  const asked = (text: unknown, from = ip) =>
    call(checkOfficial, { body: { text: text as string } }, { ip: from })
  const statuses = []
  for (let n = 0; n < 61; n += 1) statuses.push((await asked('wikipedia.org')).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  expect(await asked('wikipedia.org')).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.anything() },
  })
  expect((await asked('wikipedia.org', aClient())).status).toBe(200)
  expect(problemsOf(await asked('x'.repeat(2001), aClient()))).toEqual(['too_long'])
  expect(problemsOf(await asked(' \n', aClient()))).toEqual(['required'])
  expect((await asked(['a'], aClient())).status).toBe(400)
})

test('stores, forwards, and caches nothing of a pasted text', async () => {
  const secret = 'pasted-by-somebody.example'
  const { headers } = await call(
    checkOfficial,
    { body: { text: `https://${secret}/?q=1` } },
    { ip: aClient() },
  )
  expect(headers).toMatchObject({ 'cache-control': 'no-store' })
  const { rows } = await sql<{ text: string }>`
    select string_agg(kept, '') as text from (
      select row_to_json(t)::text as kept from throttle t
      union all select row_to_json(a)::text from audit_entry a
      union all select row_to_json(k)::text from known_entry k
      union all select row_to_json(m)::text from mail m) rows`.execute(services.db)
  expect(rows[0]?.text).not.toContain('pasted-by')
})
