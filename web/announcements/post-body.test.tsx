// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { show, showAsServed } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { PostBody } from './post-body.tsx'

const film =
  '<iframe src="https://www.youtube-nocookie.com/embed/aB3_-xYz019" title="A block &amp; more"></iframe>'
const html = `<p>Before</p>${film}<p>After</p>`
const watch = 'https://www.youtube.com/watch?v=aB3_-xYz019'

describe.each(['en', 'cn'] as const)('a YouTube film in a post, for readers of %s,', (language) => {
  const t = wordsOf(language)
  const poster = () => screen.getByRole('link', { name: /A block & more/ })

  test('is a link without JavaScript, with nothing embedded', () => {
    showAsServed(<PostBody html={html} language="en" />, language)
    expect(poster()).toHaveAttribute('href', watch)
    expect(poster()).toHaveTextContent(t('news.film.play', { title: 'A block & more' }))
    expect(poster()).toHaveTextContent(t('news.film.hint'))
    expect(document.querySelector('iframe, img, video, link, object')).toBeNull()
    expect(document.body.innerHTML).not.toMatch(/youtube-nocookie|ytimg/)
  })

  test.each([
    [101, 'video.error.notEmbeddable'],
    [100, 'video.error.notFound'],
    [2, 'video.error.invalidAddress'],
  ] as const)('plays in place once clicked, and explains error %i', async (info, said) => {
    const { user } = show(<PostBody html={html} language="en" />, language)
    expect(document.querySelector('iframe')).toBeNull()
    await user.click(poster())
    const player = await waitFor(() => screen.getByTitle<HTMLIFrameElement>('A block & more'))
    expect(player.src).toMatch(/^https:\/\/www\.youtube-nocookie\.com\/embed\/aB3_-xYz019\?autoplay=1&/)
    expect(screen.getByText('After')).toBeVisible()
    const reported = JSON.stringify({ event: 'onError', info })
    const origin = 'https://www.youtube-nocookie.com'
    const { contentWindow: source } = player
    // The alert may be in the document before it is announced.
    const alert = await waitFor(() => {
      fireEvent(window, new MessageEvent('message', { origin, source, data: reported }))
      return screen.getByRole('alert')
    })
    expect(alert).toHaveTextContent(t(said))
    expect(document.querySelector('iframe')).toBeNull()
  })
})

test('a picture hosted elsewhere is a link to it', () => {
  const t = wordsOf('en')
  show(
    <PostBody
      html='<p><img src="https://a.example/a.png" alt="A chart" loading="lazy" /></p>'
      language="en"
    />,
  )
  const name = t('news.picture.elsewhere', { title: 'A chart' })
  expect(screen.getByRole('link', { name })).toHaveAttribute('href', 'https://a.example/a.png')
  expect(document.querySelector('img')).toBeNull()
})
