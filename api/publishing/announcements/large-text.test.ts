import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { contentLengthMax } from '#contract/publishing/announcements.ts'
import { aPost, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { prepareApart } from './prepare-apart.ts'
import { prepareText } from './prepare-text.ts'
import { searchTextOf } from './search-text.ts'

const started = await startApi({}, afterAll)
const { token } = await aSignedInMember(started, { manage_news: 2 })
const create = (content: string) =>
  started.call(api.createAnnouncement, { body: aPost({ content }) }, { token })

/** Milliseconds, half of which is reading the request; without a separate thread, some of these take seconds. */
const heldUpMax = 400

/** Returns the milliseconds of processor time that the request thread uses meanwhile. */
async function heldUpBy(work: () => Promise<unknown>): Promise<number> {
  const begun = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(begun)
  return (user + system) / 1000
}

const upTo = (piece: string, times: number) => piece.repeat(times) + 'x'.repeat(contentLengthMax - 100_000)
const attributes = Array.from({ length: 100_000 }, (_, n) => `a${n}=b`).join(' ')
const large: Record<string, string> = {
  'four thousand pictures that never end': `<p>Text</p>${upTo('<img ', 4000)}`,
  'pictures that never end, with a source': `<p>Text</p>${upTo('<img src="', 4000)}`,
  'a picture with a hundred thousand attributes': `<p>Text</p><img src="https://a.example/a.png" ${attributes}>`,
  'ten thousand links': '<a href="https://a.example/">a</a>'.repeat(9000),
  'ten thousand coloured words': '<span class="ql-color-red ql-size-large">x</span>'.repeat(9000),
}

// A warm-up, so that nothing is compiled while measuring.
beforeAll(async () => void (await create(large['ten thousand links']!)))

test.each(Object.entries(large))('%s hold up nobody', async (_, content) => {
  let status = 0
  const took = await heldUpBy(async () => ({ status } = await create(content)))
  expect(status).toBe(201)
  expect(took).toBeLessThan(heldUpMax)
})

test('treats a large text like a small one', async () => {
  const html = '<p onclick="x()">One <b>word</b><script>alert(1)</script></p>'.repeat(2000)
  expect(await prepareApart(html)).toEqual(prepareText(html))
  expect(await prepareApart('<p>Small</p>')).toEqual(prepareText('<p>Small</p>'))
})

test('cuts characters that expand to many letters before expanding them', async () => {
  let text = ''
  expect(await heldUpBy(async () => (text = searchTextOf('', '\ufdfa'.repeat(1_400_000))))).toBeLessThan(
    heldUpMax,
  )
  expect(text).toHaveLength(20_000)
})
