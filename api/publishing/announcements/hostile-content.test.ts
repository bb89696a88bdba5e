import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { contentLengthMax, contentMarksMax } from '#contract/publishing/announcements.ts'
import { MIB } from '#contract/platform/fields.ts'
import { whatIsWrongWith } from '#tests/check-html.ts'
import { hostileHtml } from '#tests/hostile-html.ts'
import { aPost, aSignedInMember } from '#tests/builders.ts'
import { processorTimeOf } from '#tests/setup/processor-time.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { token } = await aSignedInMember(started, { manage_news: 2 })

const create = (content: string) =>
  started.call(api.createAnnouncement, { body: aPost({ content }) }, { token })

const fill = (piece: string) => piece.repeat(Math.floor(contentLengthMax / piece.length))
const hugeHtml: Record<string, string> = {
  'a hundred thousand nested tags': '<div>'.repeat(100_000) + 'x' + '</div>'.repeat(100_000),
  'a hundred thousand nested lists': '<ul><li>'.repeat(100_000) + 'x',
  'half a million bold letters that never end': fill('<b>'),
  'ends of what never began': '<b>'.repeat(10_000) + fill('</i>').slice(100_000),
  'brackets alone': fill('<'),
  'ampersands alone': fill('&'),
}

/** Milliseconds of processor time; without the limit, some of these take a minute. */
const refusedWithin = 1000

test.each(Object.entries(hugeHtml))('%s are refused at once', async (_, content) => {
  let answer: Awaited<ReturnType<typeof create>> | undefined
  expect(await processorTimeOf(async () => (answer = await create(content)))).toBeLessThan(refusedWithin)
  const { status, problem } = answer!
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ path: 'content', code: 'too_much_markup' }])
})

test('rejecting huge texts repeatedly does not use more memory', { tags: ['nightly'] }, async () => {
  const refuseAll = async () => {
    for (const content of Object.values(hugeHtml)) await create(content)
    return process.memoryUsage().rss
  }
  await refuseAll()
  const before = await refuseAll()
  for (let round = 0; round < 5; round += 1) await refuseAll()
  expect((await refuseAll()) - before).toBeLessThan(100 * MIB)
})

test('accepts the deepest allowed text in time, and flattens it', async () => {
  const deepest = '<b>'.repeat(contentMarksMax / 2) + 'x' + '</b>'.repeat(contentMarksMax / 2)
  let answer: Awaited<ReturnType<typeof create>> | undefined
  const took = await processorTimeOf(async () => (answer = await create(deepest)))
  expect(took).toBeLessThan(5 * refusedWithin)
  const { body, status } = answer!
  expect(status).toBe(201)
  expect(whatIsWrongWith(body.content)).toEqual([])
  expect(body.content.match(/<b>/g)!.length).toBeLessThan(50)
})

/** NUL can't be stored, and an inline picture that can't be read as one must not be removed silently. */
const isRefused = (html: string) => /\0|src="data:image\//.test(html)

test('stores every hostile text harmlessly, with a harmless summary', async () => {
  for (const [n, html] of hostileHtml.entries()) {
    const { body, status } = await create(`<p>${n}</p>${html}`)
    expect({ n, status }).toEqual({ n, status: isRefused(html) ? 400 : 201 })
    if (status === 201)
      expect([...whatIsWrongWith(body.content), ...whatIsWrongWith(body.contentSummary)]).toEqual([])
  }
})
