import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCleanHtml } from '#web/kernel/ui/clean-html.ts'
import { whatIsWrongWith } from '#tests/check-html.ts'
import { hostileHtml } from '#tests/hostile-html.ts'
import { processorTimeOf } from '#tests/setup/processor-time.ts'
import { isEmptyHtml, sanitize } from './sanitize.ts'

test.each(hostileHtml)('makes harmless: %s', (html) => {
  const clean = sanitize(html)
  expect(whatIsWrongWith(clean)).toEqual([])
  expect(isCleanHtml(clean)).toBe(true)
  expect(sanitize(clean)).toBe(clean)
})

test('every hostile text is harmless between any two others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...hostileHtml, 'text', '<p>', '</p>', '"', "'", '>'), { maxLength: 6 }),
      (parts) => {
        const clean = sanitize(parts.join(''))
        expect(whatIsWrongWith(clean)).toEqual([])
        expect(sanitize(clean)).toBe(clean)
      },
    ),
    { numRuns: 300, seed: 1 },
  )
})

test('any text becomes harmless, and sanitizing twice equals sanitizing once', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    '"',
    "'",
    '=',
    '&',
    ';',
    '&lt',
    '&#',
    '<!--',
    '-->',
    ' ',
    '\n',
    'p',
    'a',
    'img',
    'src',
    'href',
    'script',
    'style',
    'onerror',
    'javascript:',
    'https://a.example/',
    'class',
    'ql-align-center',
    'iframe',
    'svg',
    '\u0000',
  )
  const html = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(html, (text) => {
      const clean = sanitize(text)
      expect(whatIsWrongWith(clean)).toEqual([])
      expect(sanitize(clean)).toBe(clean)
    }),
    { numRuns: 2000, seed: 2 },
  )
})

const kept: Record<string, string> = {
  bold: '<p><strong>x</strong></p>',
  italic: '<p><em>x</em></p>',
  underline: '<p><u>x</u></p>',
  strike: '<p><s>x</s></p>',
  quote: '<blockquote>x</blockquote>',
  code: '<pre class="ql-syntax">x &lt; y</pre>',
  'inline code': '<p><code>x</code></p>',
  headers: '<h1>x</h1><h2>x</h2><h3>x</h3><h4>x</h4><h5>x</h5><h6>x</h6>',
  'ordered list': '<ol><li>x</li><li class="ql-indent-1">y</li></ol>',
  'bullet list': '<ul><li>x</li></ul>',
  scripts: '<p>x<sub>1</sub>y<sup>2</sup></p>',
  indent: '<p class="ql-indent-3">x</p>',
  direction: '<p class="ql-direction-rtl" dir="rtl">x</p>',
  size: '<p><span class="ql-size-large">x</span></p>',
  colour: '<p><span class="ql-color-red ql-bg-yellow">x</span></p>',
  font: '<p><span class="ql-font-monospace">x</span></p>',
  alignment: '<p class="ql-align-center">x</p>',
  link: '<p><a href="https://a.example/x?a=1&amp;b=2" rel="noopener noreferrer nofollow" target="_blank">x</a></p>',
  'mail link':
    '<p><a href="mailto:a@example.org" rel="noopener noreferrer nofollow" target="_blank">x</a></p>',
  image: '<p><img src="https://a.example/a.png" alt="x" loading="lazy" /></p>',
  'own image': '<p><img src="/assets/media/a.png" alt="" loading="lazy" /></p>',
  video:
    '<iframe src="https://www.youtube-nocookie.com/embed/aB-3_x01234" loading="lazy" referrerpolicy="strict-origin-when-cross-origin"></iframe>',
  film: '<video src="https://a.example/a.mp4" controls preload="metadata"></video>',
}

test.each(Object.entries(kept))('keeps %s as the toolbar makes it', (_, html) => {
  expect(sanitize(html)).toBe(html)
  expect(isCleanHtml(html)).toBe(true)
})

test.each([
  'https://www.youtube.com/embed/aB-3_x01234',
  'https://youtube.com/embed/aB-3_x01234?autoplay=1',
  'https://www.youtube-nocookie.com/embed/aB-3_x01234#t=5',
])('the player %s is taken from the host that sets no cookies', (source) => {
  expect(sanitize(`<iframe src="${source}"></iframe>`)).toContain(
    'src="https://www.youtube-nocookie.com/embed/aB-3_x01234"',
  )
})

test('keeps the text of removed elements, except scripts and styles', () => {
  expect(sanitize('<section><p>a <blink>b</blink></p></section>')).toBe('<p>a b</p>')
  expect(sanitize('<p>a<script>b</script><style>c</style></p>')).toBe('<p>a</p>')
})

test('closes and nests tags properly', () => {
  expect(sanitize('<p><strong>a')).toBe('<p><strong>a</strong></p>')
  expect(whatIsWrongWith(sanitize('<p><b>a</p></b><li>c</ul>'))).toEqual([])
})

test.each([
  ['30,000 nested tags', '<div>'.repeat(30_000)],
  ['30,000 tags never closed', '<p'.repeat(30_000)],
  ['500,000 opening brackets', '<'.repeat(500_000)],
  ['a quote that never ends', `<a href="${'x'.repeat(1_000_000)}`],
  ['200,000 attributes', `<p ${'a=1 '.repeat(200_000)}>`],
  ['comments that never end', '<!--'.repeat(200_000)],
  ['500,000 ampersands', '&'.repeat(500_000)],
  ['a class name of half a million letters', `<p class="${'ql-'.repeat(170_000)}">`],
])('is done in time: %s', async (_, html) => {
  let clean = ''
  expect(await processorTimeOf(() => (clean = sanitize(html)))).toBeLessThan(5000)
  expect(whatIsWrongWith(clean.slice(0, 1_000_000))).toEqual([])
})

test.each(['', ' ', '<p></p>', '<p>&nbsp;</p>', '<p><br></p>', '<script>x</script>', '<div><p> </p></div>'])(
  'recognizes as empty: %s',
  (html) => {
    expect(isEmptyHtml(sanitize(html))).toBe(true)
  },
)

test.each([
  'x',
  '<p>x</p>',
  '<img src="https://a.example/a.png">',
  '<iframe src="https://www.youtube.com/embed/aB-3_x01234"></iframe>',
])('is not empty: %s', (html) => {
  expect(isEmptyHtml(sanitize(html))).toBe(false)
})
