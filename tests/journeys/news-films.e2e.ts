import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Announcement } from '#contract/announcements.ts'
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

    // Not even the content policy is needed for it.
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
    // A preview is shown by script alone.
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
