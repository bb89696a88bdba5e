// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show, showAsServed } from '#tests/setup/show.tsx'
import { parseVideoAddress } from './video-address.ts'
import { VideoFailed } from './video-failed.tsx'
import { VideoStage } from './video-stage.tsx'
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

test.each([
  ['/assets/films/a.mp4', '/assets/films/a.mp4'],
  ['https://youtu.be/aB3_-xYz019', watch],
])('before a click there is a link to the video and nothing of its player: %s', (address, link) => {
  const source = parseVideoAddress(address)!
  showAsServed(<Video source={source} title="A block" words={words} poster={{ jpeg: '/a.jpg' }} />)
  expect(screen.getByRole('link', { name: words.play })).toHaveAttribute('href', link)
  const poster = document.querySelector('img')
  for (const [name, value] of Object.entries({
    src: '/a.jpg',
    width: '1280',
    height: '720',
    loading: 'lazy',
  }))
    expect(poster).toHaveAttribute(name, value)
  expect(document.querySelector('video, iframe')).toBeNull()
  expect(document.body.innerHTML).not.toMatch(/youtube-nocookie|ytimg/)
})

test('an invalid address is reported, and a script in it never becomes a link', () => {
  const script = 'javascript:alert(1)'
  expect(parseVideoAddress(script)).toBeNull()
  show(<VideoFailed kind="invalidAddress" address={script} words={words} />)
  expect(screen.getByRole('alert')).toHaveTextContent('Not a video address')
  expect(screen.getByText(/javascript:alert\(1\)/)).toBeVisible()
  expect(screen.queryByRole('link')).toBeNull()
})

test.each(['notEmbeddable', 'notFound', 'invalidAddress', 'failed'] as const)(
  'the failure %s has a message and a link to the source',
  (kind) => {
    const { container } = show(<VideoFailed kind={kind} address={watch} words={words} />)
    expect(container).toHaveTextContent(words.failures[kind])
    expect(screen.getByRole('link')).toHaveAttribute('href', watch)
    expect(screen.queryByRole('button', { name: words.retry })).toBeNull()
  },
)

test.each(['//evil.example/a', 'data:text/html,x', 'http://video.example/a', '/\\evil.example'])(
  'the address %s is shown as text',
  (address) => {
    show(<VideoFailed kind="invalidAddress" address={address} words={words} />)
    expect(screen.queryByRole('link')).toBeNull()
  },
)

test('a temporary failure has a retry button', async () => {
  let tries = 0
  const { user } = show(
    <VideoFailed kind="failed" address={watch} words={words} onRetry={() => (tries += 1)} />,
  )
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(tries).toBe(1)
})

test.each([
  [404, 'Not found', false],
  [410, 'Not found', false],
  [503, 'Not loaded', true],
] as const)('a film file that answers %i is reported as %s', async (status, sentence, hasRetry) => {
  const src = '/assets/films/a.mp4'
  // Requests of the stubbed network, which is reset after each test.
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push([init.method, url])
    return new Response(null, { status })
  })
  const { container } = show(
    <VideoStage
      source={{ kind: 'file', src, address: src }}
      av1={undefined}
      title="A block"
      poster={undefined}
      tracks={[]}
      words={words}
      onClose={undefined}
    />,
  )
  fireEvent.error(container.querySelector('source')!)
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(asked[0]).toEqual(['HEAD', src])
  expect(screen.queryByRole('button', { name: words.retry }) !== null).toBe(hasRetry)
})
