import { expect, test } from 'vitest'
import { finishedPage } from './finished-page.ts'

test('what a page became stays, its scripts come and do nothing', () => {
  const html =
    '<html><head><link rel="stylesheet" href="/a.css"><link rel="modulepreload" href="/b.js"><script type="module" src="/a.js"></script></head>' +
    '<body><main>name</main><script>window.x = "</main>"</script></body></html>'
  expect(finishedPage(html, ['http://localhost:1/a.js', 'http://localhost:1/b.js'])).toBe(
    '<html><head><link rel="stylesheet" href="/a.css"><link rel="modulepreload" href="/a.js"><link rel="modulepreload" href="/b.js"></head>' +
      '<body><main>name</main></body></html>',
  )
})
