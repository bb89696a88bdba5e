import { renderToStaticMarkup as markup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { VideoFailed } from './video-failed.tsx'
import { Video, type VideoWords } from './video.tsx'

const words: VideoWords = {
  play: 'Play “A block”',
  close: 'Close',
  retry: 'Try again',
  failures: {
    notEmbeddable: 'Not on other sites',
    notFound: 'Not found',
    invalidAddress: 'Not a video address',
    failed: 'Not loaded',
  },
}
const watch = 'https://www.youtube.com/watch?v=aB3_-xYz019'

test('before a click there is a link to the video and nothing of its player', () => {
  for (const [address, link] of [
    ['/assets/films/a.mp4', '/assets/films/a.mp4'],
    ['https://youtu.be/aB3_-xYz019', watch],
  ] as const) {
    const html = markup(<Video address={address} title="A block" words={words} poster={{ jpeg: '/a.jpg' }} />)
    expect(html).toContain(`href="${link}"`)
    expect(html).toContain('aria-label="Play “A block”"')
    expect(html).toMatch(/<img src="\/a\.jpg"[^>]*width="1280" height="720" loading="lazy"/)
    expect(html).not.toMatch(/<video|<iframe|youtube-nocookie|ytimg/)
  }
})

test('an address that is none says so at once, and a script in it never becomes a link', () => {
  const html = markup(<Video address="javascript:alert(1)" title="A block" words={words} />)
  expect(html).toContain('role="alert"')
  expect(html).toContain('Not a video address')
  expect(html).toContain('javascript:alert(1)')
  expect(html).not.toContain('<a')
})

test.each(['notEmbeddable', 'notFound', 'invalidAddress', 'failed'] as const)(
  'the failure %s has its sentence and leads to the source',
  (kind) => {
    const html = markup(<VideoFailed kind={kind} address={watch} words={words} />)
    expect(html).toContain(words.failures[kind])
    expect(html).toContain(`<a href="${watch}">`)
    expect(html).not.toContain(words.retry)
  },
)

test.each(['//evil.example/a', 'data:text/html,x', 'http://video.example/a', '/\\evil.example'])(
  'the address %s is shown as text',
  (address) => {
    expect(markup(<VideoFailed kind="invalidAddress" address={address} words={words} />)).not.toContain('<a')
  },
)

test('what may be tried again has a button for it', () => {
  const html = markup(<VideoFailed kind="failed" address={watch} words={words} onRetry={() => {}} />)
  expect(html).toMatch(/<button[^>]*>Try again<\/button>/)
})
