import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { draftBytesMax } from '#contract/publishing/console-content.ts'
import en from '#content/messages/en/placeholder.json' with { type: 'json' }
import home from '#content/messages/en/home.json' with { type: 'json' }
import roadmap from '#content/facts/roadmap.json' with { type: 'json' }
import team from '#content/facts/team.json' with { type: 'json' }
import { aContentDesk } from '#tests/content-desk.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { services } = started
const [one, two] = [await aContentDesk(started), await aContentDesk(started)]
const reader = await aContentDesk(started, 1)

const [first, second] = Object.keys(home) as [keyof typeof home, keyof typeof home]
const piece = 'messages/home'
const shown = (key: string) => services.content.words('en', 'home')?.[key]

test('visitors’ texts can be edited, but none of the console', async () => {
  const pieces = (await reader.call(api.listContentItems, {})).body
  const names = pieces.map(({ piece }) => piece)
  expect(names).toEqual(
    expect.arrayContaining([
      piece,
      'messages/legal',
      'facts/team.json',
      'brand.json',
      'documents/white-paper',
    ]),
  )
  expect(names.filter((name) => /console|\/review|newsroom/.test(name))).toEqual([])
  expect(
    pieces.filter(({ problems, hasDraft, isPublished }) => problems > 0 || hasDraft || isPublished),
  ).toEqual([])
  for (const hidden of ['messages/console', 'messages/review', 'facts/common-passwords.json', 'colours.json'])
    expect((await one.call(api.getContentItem, { query: { piece: hidden } })).status).toBeGreaterThanOrEqual(
      400,
    )
})

test('a draft is visible to no one until it is published, and then to everyone', async () => {
  const saved = await one.save(piece, { [`en.${first}`]: 'Said anew.' })
  expect(saved).toMatchObject({ hasDraft: true, isPublished: false, problems: 0 })
  expect(saved.changes).toEqual([{ path: `en.${first}`, from: home[first], to: 'Said anew.' }])
  expect(shown(first)).toBe(home[first])
  const { body } = await one.publish([piece])
  expect(body).toMatchObject({ state: 'published', by: { id: one.editor.id }, pieces: [piece] })
  expect(shown(first)).toBe('Said anew.')
  expect(await one.read(piece)).toMatchObject({ hasDraft: false, isPublished: true, draft: [] })
})

test('edits of different keys do not conflict; the same key is a conflict that shows the other text', async () => {
  const { version } = await one.read(piece)
  const write = (by: typeof one, key: string, text: string, basedOn = version) =>
    by.call(api.saveContentDraft, { body: { piece, version: basedOn, changes: { [`en.${key}`]: text } } })
  expect((await write(one, first, 'By one.')).status).toBe(200)
  expect((await write(two, second, 'By two.')).status).toBe(200)
  const refused = await write(two, first, 'Also by two.')
  expect(refused.problem).toMatchObject({ status: 409, code: 'conflict' })
  expect(refused.problem.theirs).toEqual([
    expect.objectContaining({
      place: `en.${first}`,
      value: 'By one.',
      by: expect.objectContaining({ id: one.editor.id }),
    }),
  ])
  expect((await write(two, first, 'By one.')).status).toBe(200)
  const informed = await write(two, first, 'By both.', refused.problem.theirs![0]!.version)
  expect(informed.status).toBe(409)
  const latest = (await one.read(piece)).version
  expect((await write(two, first, 'By both.', latest)).status).toBe(200)
  const { draft } = await one.read(piece)
  expect(draft.map(({ place, value, by }) => [place, value, by?.id])).toEqual(
    [
      [`en.${first}`, 'By both.', two.editor.id],
      [`en.${second}`, 'By two.', two.editor.id],
    ].toSorted(),
  )
})

test('a text published meanwhile is a conflict too', async () => {
  const { version } = await one.read('messages/placeholder')
  await two.put('messages/placeholder', { 'en.placeholder.home': 'To the start' })
  const late = await one.call(api.saveContentDraft, {
    body: { piece: 'messages/placeholder', version, changes: { 'en.placeholder.home': 'Home again' } },
  })
  expect(late.problem.theirs).toMatchObject([{ value: 'To the start', by: { id: two.editor.id } }])
  const facts = await one.read('facts/roadmap.json')
  await two.put('facts/roadmap.json', { '': roadmap.slice(0, -1) })
  const whole = await one.call(api.saveContentDraft, {
    body: { piece: 'facts/roadmap.json', version: facts.version, changes: { '': roadmap.slice(1) } },
  })
  expect(whole.problem).toMatchObject({ code: 'conflict', theirs: [{ place: '' }] })
  expect(services.content.facts('facts/roadmap.json')).toHaveLength(roadmap.length - 1)
})

test('of two concurrent saves, one gets the conflict', async () => {
  const { version } = await one.read('messages/news')
  const [key] = Object.keys(services.content.words('en', 'news')!)
  const answers = await Promise.all(
    [one, two].map((by, at) =>
      by.call(api.saveContentDraft, {
        body: { piece: 'messages/news', version, changes: { [`en.${key}`]: `Text ${at}` } },
      }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a text reset to its published value is no draft; discarding deletes all of it', async () => {
  const key = 'placeholder.home'
  const published = (await one.read('messages/placeholder')).published as { en: typeof en }
  await one.save('messages/placeholder', { [`en.${key}`]: 'Once' })
  expect((await one.save('messages/placeholder', { [`en.${key}`]: published.en[key] })).hasDraft).toBe(false)
  await one.save('messages/placeholder', { [`en.${key}`]: 'Twice' })
  expect((await one.save('messages/placeholder', { [`en.${key}`]: null })).hasDraft).toBe(false)
  const { version } = await one.save('messages/placeholder', { [`en.${key}`]: 'Three times' })
  const discard = (basedOn: number) =>
    two.call(api.discardContentDraft, { body: { piece: 'messages/placeholder', version: basedOn } })
  expect((await discard(version - 1)).problem.code).toBe('conflict')
  expect((await discard(version)).body.hasDraft).toBe(false)
})

test.each([
  ['a key that the page does not have', { 'en.home.nothing': 'x' }],
  ['another language', { [`xx.${first}`]: 'x' }],
  ['what every object has', { 'en.constructor': 'x' }],
  ['a list in place of a text', { [`en.${first}`]: ['x'] }],
  ['NUL', { [`en.${first}`]: 'a\0b' }],
  ['half a character', { [`en.${first}`]: '\ud800' }],
  ['a text without end', { [`en.${first}`]: 'x'.repeat(20_001) }],
])('%s is no draft of words', async (_, changes) => {
  const { version } = await one.read(piece)
  const { status, problem } = await one.call(api.saveContentDraft, { body: { piece, version, changes } })
  expect({ status, code: problem.code }).toEqual({ status: 400, code: 'validation_failed' })
})

test.each([
  ['the name of the brand', { name: 'Other' }],
  ['versions of legal texts', { legal: { terms: '2001-01-01', privacy: '2001-01-01' } }],
  ['the chain', { chain: { prefix: 'x' } }],
])('%s is not edited with the brand', async (_, value) => {
  const { version, published } = await one.read('brand.json')
  const changes = { '': { ...(published as object), ...value } }
  const answer = await one.call(api.saveContentDraft, { body: { piece: 'brand.json', version, changes } })
  expect(answer.status).toBe(400)
})

test('limits the size of a draft', async () => {
  const { version, published } = await one.read('messages/legal')
  const keys = Object.keys((published as { en: object }).en)
  const text = 'x'.repeat(19_000)
  const changes = Object.fromEntries(
    keys.slice(0, Math.ceil(draftBytesMax / text.length) + 1).map((key) => [`en.${key}`, text]),
  )
  const answer = await one.call(api.saveContentDraft, { body: { piece: 'messages/legal', version, changes } })
  expect(answer.problem.errors).toMatchObject([{ path: 'changes', code: 'too_long' }])
  expect((await one.read('messages/legal')).hasDraft).toBe(false)
})

test('an edited draft is no longer the restored version', async () => {
  const piece = 'facts/team.json'
  await one.put(piece, { '': team.slice(0, 1) })
  const { body: versions } = await one.call(api.listContentVersions, { query: { piece } })
  const restore = async () => {
    const { version } = await one.read(piece)
    await one.call(api.restoreContentVersion, { params: { id: versions.at(-1)!.id }, body: { version } })
  }
  await restore()
  await one.put(piece, { '': [...team].toReversed() })
  const latest = async () => (await one.call(api.listContentVersions, { query: { piece } })).body[0]!
  expect((await latest()).restoredId).toBeNull()
  await restore()
  expect((await one.publish([piece])).status).toBe(200)
  expect((await latest()).restoredId).toBe(versions.at(-1)!.id)
})
