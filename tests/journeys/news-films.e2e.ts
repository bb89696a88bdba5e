import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Route } from 'playwright-core'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { siteLanguages, type Language } from '#contract/platform/languages.ts'
import { goodPassword } from '#tests/builders.ts'
import { makePublisher, publisherEmail, publisherSettings } from '#tests/setup/a-publisher.ts'
import { openBrowser } from '#tests/setup/browser.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

let product: Product
beforeAll(async () => {
  product = await startOnCopy(publisherSettings)
  await makePublisher(product)
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

test.each([true, false])(
  'a reader of a post with a film of another host asks that host for nothing before pressing play, with script: %s',
  async (javaScriptEnabled) => {
    const t = wordsOf('en')
    const signedIn = await product.post('members/login', { email: publisherEmail, password: goodPassword })
    const { token } = (await signedIn.json()) as { token: string }
    const film =
      '<iframe src="https://youtu.be/x"></iframe><iframe src="https://www.youtube.com/embed/aB-3_x01234" title="Our clip"></iframe>'
    const body = {
      title: `A post with moving pictures, script ${javaScriptEnabled}`,
      content: `${film}<p><img src="https://a.example/a.png" alt="A chart"></p><p>${'Words. '.repeat(300)}</p>${film}`,
      category: 'News',
      language: 'en',
    }
    const staff = { 'x-access-token': token }
    const post = (await (await product.post('announcements/create', body, staff)).json()) as Announcement
    const preview = (await (
      await product.post(`admin/news/posts/${post._id}/preview`, {}, staff)
    ).json()) as { token: string }

    // This does not even depend on the Content-Security-Policy.
    const context = await (
      await openBrowser()
    ).newContext({ baseURL: product.url, bypassCSP: true, javaScriptEnabled })
    onTestFinished(() => context.close())
    const asked: string[] = []
    await context.route(
      (address) => address.origin !== product.url,
      (route) => {
        asked.push(new URL(route.request().url()).host)
        return route.abort()
      },
    )
    const page = await context.newPage()
    const films = page.getByRole('link', { name: 'Our clip' })
    // A preview is rendered only with JavaScript.
    const previewed = javaScriptEnabled ? [`/news/preview/${preview.token}`] : []
    for (const path of ['/news', `/news/${post.slug}`, ...previewed]) {
      await page.goto(path)
      await films.first().scrollIntoViewIfNeeded()
      const more = page.getByRole('button', { name: t('news.readMore') })
      if (javaScriptEnabled && (await more.count()) > 0) await more.first().click()
      expect(await films.first().getAttribute('href')).toBe('https://www.youtube.com/watch?v=aB-3_x01234')
      await films.first().hover()
      await films.last().focus()
      await page.waitForTimeout(200)
      expect(await page.getByRole('link', { name: 'A chart' }).first().getAttribute('href')).toContain(
        'a.example',
      )
    }
    const feed = await (await fetch(`${product.url}/news.atom`)).text()
    expect(feed).toContain('https://www.youtube.com/watch?v=aB-3_x01234')
    expect(feed).not.toMatch(/youtube-nocookie|&lt;iframe|&lt;img src=&quot;https:\/\/a\.example/)
    expect(asked).toEqual([])
    if (!javaScriptEnabled) return
    await films.first().press('Enter')
    await expect.poll(() => asked).toEqual(['www.youtube-nocookie.com'])
    expect(await page.locator('article iframe').count()).toBe(1)
  },
)

/** Publishes a post with one film on YouTube and returns the path of its page. */
async function publishFilm(title: string, language: Language): Promise<string> {
  const signedIn = await product.post('members/login', { email: publisherEmail, password: goodPassword })
  const { token } = (await signedIn.json()) as { token: string }
  const content =
    '<iframe src="https://www.youtube.com/embed/aB-3_x01234" title="Our clip"></iframe><p>Words.</p>'
  const body = { title, content, category: 'News', language }
  const created = await product.post('announcements/create', body, { 'x-access-token': token })
  const { slug } = (await created.json()) as Announcement
  return `${siteLanguages[language].prefix}/news/${slug}`
}

/** Opens the page in a new window and plays the film by keyboard. `answer` replaces YouTube. */
async function playFilm(path: string, answer: (route: Route) => Promise<void> | void) {
  const context = await (await openBrowser()).newContext({ baseURL: product.url })
  onTestFinished(() => context.close())
  let asked = 0
  await context.route('https://www.youtube-nocookie.com/**', (route) => {
    asked += 1
    return answer(route)
  })
  const page = await context.newPage()
  await page.goto(path)
  await page.getByRole('link', { name: 'Our clip' }).press('Enter')
  await expect.poll(() => asked).toBe(1)
  return { page, asked: () => asked }
}

test.each([
  ['en', 'refuses connections', (route: Route) => route.abort()],
  // Like a firewall that drops every packet.
  ['cn', 'never answers', () => undefined],
] as const)(
  'a reader of %s whose network keeps YouTube away (%s) reads so after eight seconds, and can try again by keyboard',
  async (language, how, answer) => {
    const t = wordsOf(language)
    const path = await publishFilm(`A film out of reach: ${how}`, language)
    const { page, asked } = await playFilm(path, answer)
    const alert = page.getByRole('alert').filter({ hasText: t('video.error.failed') })
    const retry = alert.getByRole('button', { name: t('video.retry') })
    const address = 'https://www.youtube.com/watch?v=aB-3_x01234'
    for (const time of [1, 2]) {
      await alert.waitFor({ timeout: 20_000 })
      expect(await page.locator('article iframe').count()).toBe(0)
      expect(await alert.getByRole('link', { name: address }).getAttribute('href')).toBe(address)
      expect(await retry.evaluate((button) => button === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await expect.poll(asked).toBe(time + 1)
      expect(await page.locator('article iframe').evaluate((frame) => frame === document.activeElement)).toBe(
        true,
      )
    }
  },
)

test('a player that reports, if only once it is asked again, stays', async () => {
  const path = await publishFilm('A film within reach', 'en')
  const script = `let asked = 0
    addEventListener('message', () => (asked += 1) === 4 && parent.postMessage('{"event":"onReady"}', '*'))`
  const { page } = await playFilm(path, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<p>The player</p><script>${script}</script>` }),
  )
  await page.waitForTimeout(10_000)
  expect(await page.locator('article iframe').count()).toBe(1)
  expect(
    await page
      .getByRole('alert')
      .filter({ hasText: wordsOf('en')('video.retry') })
      .count(),
  ).toBe(0)
})
