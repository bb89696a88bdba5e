import { expect, test } from 'vitest'
import { isCleanHtml } from './clean-html.ts'

test.each([
  'Plain words, 3 &lt; 4 &amp; 5 > 2',
  '<p class="ql-align-center">A <strong>bold</strong><br />line</p>',
  '<h2>News</h2><ul><li>one</li></ul><blockquote>x</blockquote><pre>code</pre>',
  '<a href="https://example.com/a?b=1&amp;c=2" rel="noopener">link</a><a href="/news">ours</a><a href="#top">up</a>',
  '<a href="mailto:a@b.example">mail</a>',
  '<img src="/files/9f3a.webp" alt="A diagram" width="640" height="360" loading="lazy" />',
  '<iframe src="https://www.youtube-nocookie.com/embed/aB-3_x01234" title="Film" allowfullscreen></iframe>',
])("accepts the editor's output as clean: %s", (html) => {
  expect(isCleanHtml(html)).toBe(true)
})

test.each([
  '<script>alert(1)</script>',
  '<ScRiPt src="//x"></ScRiPt>',
  '<img src="x" onerror="alert(1)" />',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" JavaScript:alert(1)">x</a>',
  '<a href="java&#115;cript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="data:text/html,x">x</a>',
  '<iframe src="https://evil.example/"></iframe>',
  '<iframe srcdoc="x"></iframe>',
  '<p style="position:fixed">x</p>',
  '<svg><a></a></svg>',
  '<form action="/x"><input /></form>',
  '<!-- comment --><p>x</p>',
  '<p title="<script>">x</p>',
  '<p title="a',
  '<<p>x</p>',
  '</style><p>x</p>',
])('rejects anything active: %s', (html) => {
  expect(isCleanHtml(html)).toBe(false)
})
