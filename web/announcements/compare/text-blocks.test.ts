import { expect, test } from 'vitest'
import { textBlocksOf } from './differences.ts'

const wordsOf = (html: string) => textBlocksOf(html).map(({ kind, text }) => `${kind}: ${text}`)

test('splits a post into blocks, each with its text', () => {
  expect(
    wordsOf(
      '<h2>Out &amp; about</h2><p>One <strong>two</strong><br>three</p><ul><li><p>first</p></li><li><p>second</p></li></ul>' +
        '<blockquote><p>said</p></blockquote><pre><code>a &lt; b\n  c</code></pre>',
    ),
  ).toEqual([
    'heading: Out & about',
    'text: One two\nthree',
    'item: first',
    'item: second',
    'quote: said',
    'code: a < b\n  c',
  ])
})

test('pictures and videos are separate blocks, named by their description or address', () => {
  expect(
    wordsOf(
      '<p>See <img src="/assets/media/a.webp" alt="A &quot;node&quot;"> here</p>' +
        '<video src="/a.mp4" controls></video><iframe src="https://e.example/x" title="Talk"></iframe>',
    ),
  ).toEqual(['text: See', 'picture: A "node"', 'text: here', 'video: /a.mp4', 'video: Talk'])
})

test('a block with other formatting has other HTML', () => {
  const [plain] = textBlocksOf('<p>word</p>')
  const [bold] = textBlocksOf('<p><strong>word</strong></p>')
  const [indented] = textBlocksOf('<p class="ql-indent-1">word</p>')
  expect(new Set([plain!.html, bold!.html, indented!.html]).size).toBe(3)
  expect(bold!.text).toBe(plain!.text)
})

test('empty content has no blocks', () => {
  expect(textBlocksOf('')).toEqual([])
  expect(textBlocksOf('<p></p><p> </p>')).toEqual([])
})
