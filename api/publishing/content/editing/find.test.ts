import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { ContentField, ContentShape } from '#contract/publishing/content-shapes.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { aContentDesk } from '#tests/content-desk.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { asSeen, fitOf } from './find-content.ts'
import { baseFiles, itemsOf, kindOf } from './content-item.ts'

const started = await startApi({}, afterAll)
const desk = await aContentDesk(started)

const find = async (q: string) => (await desk.call(api.findContent, { query: { q } })).body

test('finds a sentence as a visitor reads it, including interpolated values', async () => {
  const [first] = await find('every coin, MINTED in plain sight')
  expect(first).toMatchObject({ piece: 'messages/home', place: 'en.home.hero.title', language: 'en' })
  const filled = await find(`${brand.name} is a public blockchain that anyone can read`)
  expect(filled[0]).toMatchObject({ piece: 'messages/home', place: 'en.home.hero.lead' })
})

test('finds texts of lists in both languages by their entries’ IDs, but not the IDs', async () => {
  const roadmap = baseFiles().json('facts/roadmap.json') as { id: string; cn: { title: string } }[]
  const { id, cn } = roadmap[0]!
  expect(await find(cn.title)).toContainEqual(
    expect.objectContaining({ piece: 'facts/roadmap.json', place: `${id}.cn.title`, language: 'cn' }),
  )
  expect((await find(id)).filter(({ place }) => place.endsWith('.id'))).toEqual([])
})

test('finds unpublished texts too', async () => {
  await desk.save('messages/placeholder', { 'en.placeholder.home': 'Quokka of the front page' })
  expect(await find('quokka')).toMatchObject([
    { piece: 'messages/placeholder', place: 'en.placeholder.home' },
  ])
})

test('matches a sentence with values to a text with placeholders, but no short text', () => {
  const wanted = asSeen('You see 6 of 20 entries.')
  expect(fitOf(asSeen('You see {count} of {max} entries.'), wanted)).toBe(3)
  expect(fitOf(asSeen('You see <b>{count}</b> of {max} posts.'), wanted)).toBeUndefined()
  expect(fitOf(asSeen('You'), wanted)).toBeUndefined()
})

test('every list and the brand have a form with exactly their fields', async () => {
  const forms = itemsOf(baseFiles()).filter((piece) => ['facts', 'brand'].includes(kindOf(piece)))
  expect(forms.length).toBeGreaterThan(10)
  for (const piece of forms) {
    const { shape } = (await desk.call(api.getContentShape, { query: { piece } })).body
    expect({ piece, unknown: unknownIn(shape, (await desk.read(piece)).value) }).toEqual({
      piece,
      unknown: [],
    })
  }
  const { status } = await desk.call(api.getContentShape, { query: { piece: 'messages/home' } })
  expect(status).toBe(404)
})

test('a form recognizes pictures, addresses, months, choices, and checkboxes', async () => {
  const fieldsOf = (shape: ContentShape): readonly ContentField[] =>
    shape.kind === 'list' ? fieldsOf(shape.item) : shape.kind === 'object' ? shape.fields : []
  const read = async (piece: string) =>
    fieldsOf((await desk.call(api.getContentShape, { query: { piece } })).body.shape)
  expect(await read('facts/ambassadors.json')).toEqual(
    expect.arrayContaining([
      { name: 'photo', isOptional: true, shape: { kind: 'photo' } },
      { name: 'profile', isOptional: true, shape: { kind: 'address' } },
      { name: 'since', isOptional: true, shape: { kind: 'day' } },
      { name: 'special', isOptional: true, shape: { kind: 'mark', value: true } },
    ]),
  )
  expect(await read('facts/roadmap.json')).toEqual(
    expect.arrayContaining([
      { name: 'date', isOptional: false, shape: { kind: 'month' } },
      { name: 'state', isOptional: false, shape: { kind: 'choice', options: ['done', 'current', 'next'] } },
    ]),
  )
})

/** Returns the places where a value has parts that its form does not show. */
function unknownIn(shape: ContentShape, value: unknown, path = ''): string[] {
  if (value === undefined) return []
  if (shape.kind === 'named')
    return Object.entries(value as object).flatMap(([name, each]) =>
      unknownIn(shape.item, each, `${path}.${name}`),
    )
  if (shape.kind === 'list')
    return Array.isArray(value)
      ? value.flatMap((each, at) => unknownIn(shape.item, each, `${path}.${at}`))
      : [path]
  if (shape.kind === 'object') {
    if (typeof value !== 'object' || value === null) return [path]
    return Object.entries(value).flatMap(([key, part]) => {
      const field = shape.fields.find((each) => each.name === key)
      return field ? unknownIn(field.shape, part, `${path}.${key}`) : [`${path}.${key}`]
    })
  }
  return typeof value === 'object' ? [path] : []
}
