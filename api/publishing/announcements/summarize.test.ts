import { expect, test } from 'vitest'
import { isCleanHtml } from '#web/kernel/ui/clean-html.ts'
import { hostileHtml } from '#tests/hostile-html.ts'
import { whatIsWrongWith } from '#tests/check-html.ts'
import { sanitize } from './sanitize.ts'
import { summarize } from './summarize.ts'

const image = (name: string) => `<img src="https://a.example/${name}.png" alt="" loading="lazy" />`
const namesOf = (html: string) => [...html.matchAll(/a\.example\/(\w+)\.png/g)].map(([, name]) => name)

/** Text of exactly `length` characters, closed as one paragraph. */
const paragraphOf = (length: number) => `<p>${'x'.repeat(length - '<p></p>'.length)}</p>`

test.each([7, 1498, 1499, 1500])('a content of %i characters is its own summary', (length) => {
  const content = paragraphOf(length)
  expect(content).toHaveLength(length)
  expect(summarize(content)).toBe(content)
})

test('cuts longer content to 1500 characters and closes its tags', () => {
  const content = '<p>' + 'x'.repeat(1600) + '</p>'
  expect(summarize(content)).toBe('<p>' + 'x'.repeat(1497) + '</p>')
})

test('content of 1501 characters differs from its summary', () => {
  const content = 'x'.repeat(1501)
  expect(summarize(content)).toBe('x'.repeat(1500))
})

test('keeps an image that the cut would split', () => {
  for (const offset of [1, 5, image('a').length - 1]) {
    const content = 'x'.repeat(1500 - offset) + image('a') + 'y'.repeat(100)
    expect(summarize(content)).toBe('x'.repeat(1500 - offset) + image('a'))
  }
})

test('omits an image that starts after the cut', () => {
  const content = 'x'.repeat(1500) + image('a') + 'y'.repeat(100)
  expect(summarize(content)).toBe('x'.repeat(1500))
})

test('extends the cut by at most three images', () => {
  const before = image('a') + image('b') + image('c')
  const third = 'x'.repeat(1490 - image('a').length * 2) + image('c')
  expect(namesOf(summarize(image('a') + image('b') + third + 'y'.repeat(50)))).toEqual(['a', 'b', 'c'])
  const fourth = before + 'x'.repeat(1490 - before.length) + image('d') + 'y'.repeat(50)
  expect(namesOf(summarize(fourth))).toEqual(['a', 'b', 'c'])
})

test('splits no character', () => {
  const content = 'x'.repeat(1499) + '😀'.repeat(10)
  expect(summarize(content)).toBe('x'.repeat(1499))
  expect(summarize('x'.repeat(1498) + '😀'.repeat(10))).toBe('x'.repeat(1498) + '😀')
})

test('entities at the cut do not become markup', () => {
  for (let offset = 0; offset < 12; offset += 1) {
    const content = 'x'.repeat(1500 - offset) + '&lt;script&gt;alert(1)&lt;/script&gt;'.repeat(3)
    const summary = summarize(content)
    expect(whatIsWrongWith(summary)).toEqual([])
    expect(sanitize(summary)).toBe(summary)
  }
})

/** Cuts each hostile text at every `step`th character, starting at a different one each time. */
function findHarmfulCuts(step: number): string[] {
  const wrong: string[] = []
  for (const [index, html] of hostileHtml.entries()) {
    const clean = sanitize(
      `<p>${html}</p>${image('a')}<blockquote><a href="https://a.example/">b</a></blockquote>`,
    )
    for (let shift = index % step; shift < Math.min(clean.length, 220); shift += step) {
      const content = 'x'.repeat(1500 - shift) + clean + '<p>' + 'y'.repeat(220) + '</p>'
      const summary = summarize(content)
      if (whatIsWrongWith(summary).length > 0 || sanitize(summary) !== summary || !isCleanHtml(summary))
        wrong.push(`${shift} ${html}`)
    }
  }
  return wrong
}

test('cuts of every hostile text are harmless, and sanitizing them again changes nothing', () => {
  expect(findHarmfulCuts(29)).toEqual([])
})

test('so are those at every third character', { tags: ['nightly'] }, () => {
  expect(findHarmfulCuts(3)).toEqual([])
})
