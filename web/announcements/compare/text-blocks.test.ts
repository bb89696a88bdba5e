import { expect, test } from 'vitest'
import { textBlocksOf } from './text-blocks.ts'

const wordsOf = (html: string) => textBlocksOf(html).map(({ kind, text }) => `${kind}: ${text}`)

test('a post is read in blocks, each with its words', () => {
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

test('pictures and videos are blocks of their own, named by their description or their address', () => {
  expect(
    wordsOf(
      '<p>See <img src="/assets/media/a.webp" alt="A &quot;node&quot;"> here</p>' +
        '<video src="/a.mp4" controls></video><iframe src="https://e.example/x" title="Talk"></iframe>',
    ),
  ).toEqual(['text: See', 'picture: A "node"', 'text: here', 'video: /a.mp4', 'video: Talk'])
})

test('a block with another look has another HTML', () => {
  const [plain] = textBlocksOf('<p>word</p>')
  const [bold] = textBlocksOf('<p><strong>word</strong></p>')
  const [indented] = textBlocksOf('<p class="ql-indent-1">word</p>')
  expect(new Set([plain!.html, bold!.html, indented!.html]).size).toBe(3)
  expect(bold!.text).toBe(plain!.text)
})

test('nothing is no block', () => {
  expect(textBlocksOf('')).toEqual([])
  expect(textBlocksOf('<p></p><p> </p>')).toEqual([])
})
