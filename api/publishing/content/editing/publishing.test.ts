import { afterAll, expect, test } from 'vitest'
import { ownBrand as brand } from '#tests/own-brand.ts'
import { api } from '#contract/api.ts'
import { contentVersionsMax } from '#contract/publishing/console-content.ts'
import features from '#content/facts/features.json' with { type: 'json' }
import home from '#content/messages/en/home.json' with { type: 'json' }
import legal from '#content/messages/en/legal.json' with { type: 'json' }
import { aContentDesk } from '#tests/content-desk.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { services } = started
const [one, two] = [await aContentDesk(started), await aContentDesk(started)]
const [key] = Object.keys(home) as [keyof typeof home]
const withTag = Object.entries(legal).find(([, text]) => text.includes('<link>'))!
const place = `en.${key}`

const broken = async (piece: string, changes: Record<string, unknown>) => {
  const saved = await one.save(piece, changes)
  expect(saved.hasDraft).toBe(true)
  const refused = await one.publish([piece])
  expect(refused.problem).toMatchObject({ status: 409, code: 'content_broken' })
  const { version } = await one.read(piece)
  await one.call(api.discardContentDraft, { body: { piece, version } })
  expect(saved.found).toEqual(refused.problem.broken)
  return refused.problem.broken!
}

test.each([
  ['a placeholder that nobody fills', { [place]: 'In {number} days' }, 'placeholders_fixed'],
  ['a tag that the page does not know', { [place]: '<b>Now</b>' }, 'tags_fixed'],
  ['a tag that stays open', { [place]: 'Now <b>' }, 'open_tag'],
  ['the brand by its name', { [place]: `The ${brand.name} chain` }, 'brand_named'],
  ['nothing', { [place]: '' }, 'empty'],
  ['two lines', { [place]: 'One\nTwo' }, 'control_characters'],
  ['a character that nobody sees', { [place]: 'One\u200bTwo' }, 'control_characters'],
  ['an address that only mails fill in', { [place]: 'Write to {contact}' }, 'placeholders_fixed'],
  ['more than a page can show', { [place]: 'x'.repeat(5001) }, 'too_long'],
])('%s can be kept, and is not published', async (_, changes, code) => {
  const found = await broken('messages/home', changes)
  const mine = found.find((each) => each.code === code)!
  expect(mine).toMatchObject({ file: 'messages/en/home.json', place: key })
  expect(mine.words.en).not.toBe('')
  expect(mine.words.cn).toMatch(/\p{Script=Han}/u)
  expect(services.content.words('en', 'home')![key]).toBe(home[key])
})

test.each([
  ['en', 'whitePaper.risks.value', 'Its value can only rise.'],
  ['en', 'whitePaper.statement.approval', 'Approved by the competent authority.'],
  ['cn', 'whitePaper.risks.deposit', '受存款保险保障。'],
])('a notice that the law words stays as it came: %s %s', async (language, name, text) => {
  const found = await broken('messages/white-paper', { [`${language}.${name}`]: text })
  expect(found.map(({ file, place, code }) => [file, place, code])).toEqual([
    [`messages/${language}/white-paper.json`, name, 'statutory'],
  ])
})

test('a text that breaks a rule hides no other problems', async () => {
  const found = await broken('messages/help', {
    'en.help.contact.text': 'Write to {nobody}',
    'cn.help.hero.title': '',
  })
  expect(found.map(({ file, place, code }) => `${file} ${place} ${code}`).toSorted()).toEqual([
    'messages/cn/help.json help.hero.title empty',
    'messages/en/help.json help.contact.text placeholders_fixed',
    'messages/en/help.json help.contact.text tags_fixed',
  ])
})

test('reports a lost link tag in the language where it happened', async () => {
  const found = await broken('messages/legal', { [`en.${withTag[0]}`]: 'Without a link' })
  expect(found.map(({ file, code }) => `${file} ${code}`)).toContain('messages/en/legal.json tags_fixed')
})

const [feature] = features as [(typeof features)[number]]
test.each([
  [
    'markup of addresses',
    'brand.json',
    { links: { ...brand.links, blog: 'javascript:alert(1)' } },
    'web_address',
  ],
  [
    'an address without encryption',
    'brand.json',
    { links: { ...brand.links, blog: 'http://a.example' } },
    'web_address',
  ],
  [
    'an address that hides its host',
    'brand.json',
    { links: { ...brand.links, blog: 'https://a.example@b.example' } },
    'web_address_user',
  ],
  [
    'a document that is not there',
    'brand.json',
    { documents: { ...brand.documents, brochure: 'nothing' } },
    'no_file',
  ],
  ['an entry without Chinese', 'facts/features.json', [{ ...feature, cn: feature.en }], 'not_chinese'],
  ['an entry twice', 'facts/features.json', [feature, feature], 'used_twice'],
  [
    'more entries than anybody reads',
    'facts/features.json',
    Array.from({ length: 61 }, (_, at) => ({ ...feature, id: `entry-${at}` })),
    'entries',
  ],
  ['a field that nobody knows', 'facts/features.json', [{ ...feature, html: '<script>' }], 'unknown_key'],
  [
    'a picture in another folder',
    'facts/partners.json',
    [
      {
        id: 'a',
        seed: 1,
        photo: '../../brand.json',
        en: { name: 'A', line: 'A' },
        cn: { name: '甲', line: '甲' },
      },
    ],
    'file_name',
  ],
])('%s is not published', async (_, piece, value, code) => {
  const found = await broken(piece, { '': value })
  expect(found.map((each) => each.code)).toContain(code)
})

test('treats markup as text', async () => {
  const text = 'Say <img src=x onerror=alert(1)> "quoted" & <!-- done'
  await one.put('messages/home', { [place]: text })
  expect(services.content.words('en', 'home')![key]).toBe(text)
})

test('publishes several items together or not at all, and stops at one that changed', async () => {
  await one.save('messages/home', { [place]: 'Together.' })
  await one.save('messages/placeholder', { 'en.placeholder.home': '{broken}' })
  expect((await one.publish(['messages/home', 'messages/placeholder'])).problem.code).toBe('content_broken')
  expect(services.content.words('en', 'home')![key]).not.toBe('Together.')
  const { version } = await one.read('messages/home')
  await two.save('messages/home', { [place]: 'Not what was looked at.' })
  const pieces = [{ piece: 'messages/home', version }]
  expect((await one.call(api.publishContent, { body: { pieces } })).problem.code).toBe('conflict')
  const checked = await one.call(api.checkContentDrafts, {
    body: { pieces: ['messages/home', 'messages/placeholder'] },
  })
  expect(checked.body).toMatchObject({ takesTwo: false, sensitive: [] })
  expect(checked.body.problems.map((each) => each.code)).toContain('placeholders_fixed')
})

test('the history shows the changes of each version, and an old one returns as a draft', async () => {
  const piece = 'facts/features.json'
  const renamed = [{ ...feature, en: { ...feature.en, title: 'Renamed' } }, ...features.slice(1)]
  await one.put(piece, { '': renamed })
  await two.put(piece, { '': renamed.slice(1) })
  const { body: versions } = await one.call(api.listContentVersions, { query: { piece } })
  expect(versions.map(({ origin, by }) => [origin, by?.id])).toEqual([
    ['console', two.editor.id],
    ['console', one.editor.id],
    ['file', undefined],
  ])
  expect(versions[1]!.changes).toEqual([
    { path: `${feature.id}.en.title`, from: feature.en.title, to: 'Renamed' },
  ])
  const page = await one.call(api.listContentVersions, { query: { piece, limit: 1 } })
  expect(page.headers['link']).toContain('rel="next"')
  const whole = await one.call(api.getContentVersion, { params: { id: versions[2]!.id } })
  expect(whole.body).toMatchObject({ value: features })
  expect(whole.body.sinceThen.length).toBeGreaterThan(0)
  const long = 'x'.repeat(1900)
  await two.put(piece, { '': [{ ...feature, en: { ...feature.en, text: long } }, ...features.slice(1)] })
  const [cut] = (await one.call(api.listContentVersions, { query: { piece, limit: 1 } })).body
  expect(cut!.changes[0]!.to?.length ?? 0).toBeLessThan(long.length)
  const uncut = await one.call(api.getContentVersion, { params: { id: cut!.id } })
  expect(uncut.body.changes.some(({ to }) => to === long)).toBe(true)
  const { version } = await one.read(piece)
  const restored = await one.call(api.restoreContentVersion, {
    params: { id: versions[2]!.id },
    body: { version },
  })
  expect(restored.body).toMatchObject({ hasDraft: true, value: features })
  expect((await one.publish([piece])).status).toBe(200)
  expect(await one.read(piece)).toMatchObject({ isPublished: false, hasDraft: false })
  expect(services.content.facts(piece)).toEqual(features)
  const [latest] = (await one.call(api.listContentVersions, { query: { piece, limit: 1 } })).body
  expect(latest).toMatchObject({ restoredId: versions[2]!.id })
})

test('the audit log says who published what, without the text', async () => {
  const rows = await services.db
    .selectFrom('audit_entry')
    .select(['actor_id', 'action', 'subject_id', 'detail'])
    .where('subject_kind', '=', 'content')
    .where('subject_id', '=', 'facts/features.json')
    .where('action', '=', 'content-published')
    .orderBy('id')
    .execute()
  expect(rows[0]).toMatchObject({
    actor_id: one.editor.id,
    detail: { places: [`${feature.id}.en.title`] },
  })
})

test('plain texts need no proof; links and legal texts need step-up authentication', async () => {
  await letProofAge(started)
  await one.put('messages/home', { [place]: 'Words only.' })
  await one.save('messages/home', { [place]: 'Look at https://elsewhere.example' })
  expect((await one.publish(['messages/home'])).problem.code).toBe('step_up_required')
  const parts = (await one.read('brand.json')).published as typeof brand
  await one.save('brand.json', { '': { ...parts, phone: '+1 555 0101' } })
  expect((await one.publish(['brand.json'])).problem.code).toBe('step_up_required')
  await one.save('messages/legal', { [`en.${Object.keys(legal)[0]}`]: 'New title' })
  expect((await one.publish(['messages/legal'])).problem.code).toBe('step_up_required')
  expect(services.content.brand().phone).toBe(brand.phone)
})

test(`the newest ${contentVersionsMax} versions of a piece are kept`, { tags: ['nightly'] }, async () => {
  for (let n = 0; n < contentVersionsMax + 3; n += 1)
    await two.put('messages/preview', {
      [`en.${Object.keys(services.content.words('en', 'preview')!)[0]}`]: `Version ${n}`,
    })
  const { count } = await services.db
    .selectFrom('content_version')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('piece', '=', 'messages/preview')
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(contentVersionsMax)
})

test('publishes networks without an icon, fewer links, and no phone number, and restores them', async () => {
  const three = await aContentDesk(started)
  const { phone: _, ...before } = (await three.read('brand.json')).value as typeof brand
  const links = { ...before.links, wallet: { android: before.links.wallet.android } }
  const social = { discord: 'https://discord.example/coin', 'nostr.social': 'https://nostr.example' }
  await three.put('brand.json', { '': { ...before, links, social, documents: {} } })
  const shown = services.content.brand()
  expect(shown).toMatchObject({ links, social, documents: {} })
  expect(shown).not.toHaveProperty('phone')
  expect((await three.read('brand.json')).value).not.toHaveProperty('phone')
  await three.put('brand.json', { '': { ...before, phone: '+1 555 0142' } })
  expect(services.content.brand()).toMatchObject({ phone: '+1 555 0142', social: brand.social })
})

test('publishes lists of other lengths, groups, and people', async () => {
  const three = await aContentDesk(started)
  const said = { en: { title: 'The guild' }, cn: { title: '行会' } }
  const member = {
    id: 'ada',
    links: { github: 'https://github.example/ada' },
    en: { name: 'Ada Example', title: 'Keeper', skills: [] },
    cn: { name: '艾达', title: '守护', skills: [] },
  }
  const team = [{ id: 'guild', ...said, members: [member] }]
  await three.put('facts/team.json', { '': team })
  await three.put('facts/roadmap.json', { '': [] })
  expect(services.content.facts('facts/team.json')).toEqual(team)
  expect(services.content.facts('facts/roadmap.json')).toEqual([])
})
