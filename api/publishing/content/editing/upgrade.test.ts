import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import brand from '#content/brand.json' with { type: 'json' }
import features from '#content/facts/features.json' with { type: 'json' }
import home from '#content/messages/en/home.json' with { type: 'json' }
import legal from '#content/messages/en/legal.json' with { type: 'json' }
import { aContentDesk } from '#tests/content-desk.ts'
import { inTime } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import type { GivenContent } from '../rules/read-given.ts'
import { applyPublished } from './apply-published.ts'
import { baseFiles } from './content-item.ts'
import { recordFiles, settleTakenOver } from './record-files.ts'

const plain = Object.entries(home).flatMap(([name, text]) => (/[{<]/.test(text) ? [] : [name]))
const [one, two, three] = plain as [keyof typeof home, keyof typeof home, keyof typeof home]

/** The files of a release that has other values for these. */
const release = (changed: Record<string, unknown>): GivenContent => ({
  ...baseFiles(),
  json: (file) => changed[file] ?? baseFiles().json(file),
})

test('a release with the same texts takes over the override; otherwise editors are notified', async () => {
  const { services, ...started } = await startApi()
  const desk = await aContentDesk({ services, ...started })
  await recordFiles(services.db)
  await desk.put('messages/home', { [`en.${one}`]: 'As in the release', [`en.${two}`]: 'Ours' })
  await desk.put('facts/features.json', { '': features.slice(0, 3) })
  const overrideOf = async (piece: string) =>
    (
      await services.db
        .selectFrom('content_piece')
        .select(['override', 'outdated'])
        .where('piece', '=', piece)
        .execute()
    )[0]
  const second = release({
    'messages/en/home.json': { ...home, [one]: 'As in the release', [two]: 'Theirs', [three]: 'New' },
    'facts/features.json': features.slice(0, 3),
  })
  await recordFiles(services.db, second)
  // The previous release may still run beside it, or come back: for it, the published changes still override its files.
  expect(await overrideOf('messages/home')).toEqual({
    override: { en: { [one]: 'As in the release', [two]: 'Ours' } },
    outdated: [`en.${two}`],
  })
  expect(await overrideOf('facts/features.json')).toEqual({ override: features.slice(0, 3), outdated: [] })
  expect((await desk.read('messages/home')).outdated).toEqual([`en.${two}`])
  // The same release again, for example another instance of it.
  await recordFiles(services.db, second)
  expect((await overrideOf('messages/home'))!.outdated).toEqual([`en.${two}`])
  const settle = () => settleTakenOver(services.db, second)
  await settle()
  expect((await overrideOf('facts/features.json'))!.override).not.toBeNull()
  await sql`update content_piece set taken_over_at = taken_over_at - interval '8 days'`.execute(services.db)
  // An instance of the previous release does not do this.
  await settleTakenOver(services.db)
  expect((await overrideOf('facts/features.json'))!.override).not.toBeNull()
  await settle()
  expect(await overrideOf('messages/home')).toEqual({
    override: { en: { [two]: 'Ours' } },
    outdated: [`en.${two}`],
  })
  expect(await overrideOf('facts/features.json')).toEqual({ override: null, outdated: [] })
})

test('reviews a pending list draft again when a release changes the list below it', async () => {
  const started = await startApi()
  const { services } = started
  const desk = await aContentDesk(started)
  await recordFiles(services.db)
  const shorter = features.slice(0, -1)
  const words = { [`en.${one}`]: 'In an hour.' }
  const schedule = async (piece: string, changes: Record<string, unknown>) => {
    const { version } = await desk.save(piece, changes)
    const { body } = await desk.call(api.scheduleContent, {
      body: { pieces: [{ piece, version }], ...inTime(HOUR) },
    })
    return { ...body, version }
  }
  const list = await schedule('facts/features.json', { '': shorter })
  const text = await schedule('messages/home', words)
  const added = { ...features[0]!, id: 'brought-by-the-release' }
  await recordFiles(
    services.db,
    release({
      'facts/features.json': [...features, added],
      'messages/en/home.json': { ...home, [two]: 'Another text' },
    }),
  )
  const { body: dropped } = await desk.call(api.listContentReleases, { query: { state: 'dropped' } })
  expect(dropped).toMatchObject([{ id: list.id, state: 'failed', ended: { by: null, cause: 'release' } }])
  const { body: waiting } = await desk.call(api.listContentReleases, {})
  expect(waiting).toMatchObject([{ id: text.id, state: 'scheduled' }])
  // A page opened before the upgrade can't publish it either.
  const pieces = [{ piece: 'facts/features.json', version: list.version }]
  expect((await desk.call(api.publishContent, { body: { pieces } })).problem.code).toBe('conflict')
})

test('leaves out and names what breaks a rule of the release, and shows the rest', async () => {
  const started = await startApi()
  const { services } = started
  const desk = await aContentDesk(started)
  await desk.put('messages/home', { [`en.${one}`]: 'Still right' })
  await desk.put('facts/features.json', { '': features.slice(0, 3) })
  await services.db
    .updateTable('content_piece')
    .set({ override: JSON.stringify([{ id: 'of-an-older-release' }]) })
    .where('piece', '=', 'facts/features.json')
    .execute()
  await services.db
    .insertInto('content_version')
    .values({ piece: 'x', n: 1, value: '{}', changes: '[]', origin: 'command' })
    .execute()
  await applyPublished(services)
  expect(services.content.facts('facts/features.json')).toEqual(features)
  expect(services.content.words('en', 'home')![one]).toBe('Still right')
  const pieces = (await desk.call(api.listContentItems, {})).body
  expect(pieces.filter(({ isLeftOut }) => isLeftOut).map(({ piece }) => piece)).toEqual([
    'facts/features.json',
  ])
  // Once published again, it is shown again.
  await desk.put('facts/features.json', { '': features.slice(0, 2) })
  expect(services.content.facts('facts/features.json')).toHaveLength(2)
  expect((await desk.read('facts/features.json')).isLeftOut).toBe(false)
})

test('asks no one for a legal version that this release cannot show', async () => {
  const started = await startApi()
  const { services } = started
  const desk = await aContentDesk(started)
  const title = 'legal.terms.title'
  await desk.save('messages/legal', { [`en.${title}`]: 'Terms, anew' })
  expect((await desk.publish(['messages/legal'], { newVersions: ['terms'] })).status).toBe(200)
  const version = services.content.brand().legal.terms
  expect(version).not.toBe(brand.legal.terms)
  const breakText = (text: string) =>
    services.db
      .updateTable('content_piece')
      .set({ override: JSON.stringify({ en: { [title]: text } }) })
      .where('piece', '=', 'messages/legal')
      .execute()
  await breakText('Terms with {what_no_page_fills}')
  await services.db
    .insertInto('content_version')
    .values({ piece: 'x', n: 1, value: '{}', changes: '[]', origin: 'command' })
    .execute()
  await applyPublished(services)
  expect(services.content.words('en', 'legal')![title]).toBe(legal[title])
  expect(services.content.brand().legal).toEqual(brand.legal)
  expect(await desk.read('messages/legal')).toMatchObject({ isLeftOut: true, legal: brand.legal })
  // Once corrected, it counts as the published version again.
  await desk.put('messages/legal', { [`en.${title}`]: 'Terms, anew' })
  expect(services.content.brand().legal.terms).toBe(version)
  const again = await desk.read('messages/legal')
  expect(again.legal).toMatchObject({ terms: version })
})

test('ignores a removed language, and reads the rest of the list', async () => {
  const started = await startApi()
  const { services } = started
  const desk = await aContentDesk(started)
  const other = features.slice(0, 3).map((each) => ({ ...each, xx: each.en }))
  await desk.put('facts/features.json', { '': features.slice(0, 4) })
  const parts = (await desk.read('brand.json')).published as typeof brand
  await desk.put('brand.json', { '': { ...parts, phone: '+1 555 0177' } })
  const overrides = {
    'facts/features.json': other,
    'brand.json': { ...parts, phone: '+1 555 0178', tagline: { ...parts.tagline, xx: 'Otra' } },
  }
  for (const [piece, override] of Object.entries(overrides))
    await services.db
      .updateTable('content_piece')
      .set({ override: JSON.stringify(override) })
      .where('piece', '=', piece)
      .execute()
  await services.db
    .insertInto('content_version')
    .values({
      piece: 'facts/features.json',
      n: 1,
      value: JSON.stringify(other),
      changes: '[]',
      origin: 'command',
    })
    .execute()
  await applyPublished(services)
  expect(services.content.facts('facts/features.json')).toEqual(features.slice(0, 3))
  expect(services.content.brand()).toMatchObject({ phone: '+1 555 0178', tagline: brand.tagline })
  const pieces = (await desk.call(api.listContentItems, {})).body
  expect(pieces.filter(({ isLeftOut }) => isLeftOut)).toEqual([])
  // Neither an old draft nor an old version brings it back.
  const { version } = await desk.read('facts/features.json')
  const [old] = (await desk.call(api.listContentVersions, { query: { piece: 'facts/features.json' } })).body
  const restored = await desk.call(api.restoreContentVersion, { params: { id: old!.id }, body: { version } })
  expect(restored.body).toMatchObject({ found: [], value: features.slice(0, 3) })
  expect((await desk.save('facts/features.json', { '': other.slice(0, 2) })).found).toEqual([])
})
