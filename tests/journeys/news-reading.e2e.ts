import { afterAll, beforeAll, expect, test } from 'vitest'
import samples from '#content/samples/announcements.json'
import { aVisitor } from '#tests/setup/browser.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

let product: Product
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

test.each(languagesUnderTest('cn'))(
  'without script, in %s, news is searched, filtered and read',
  async (language) => {
    const t = wordsOf(language)
    const { page } = await aVisitor(product.url, { javaScriptEnabled: false })
    const news = language === 'cn' ? '/cn/news' : '/news'
    const post = samples.find((each) => each.language === language && each.category === 'Technical Updates')!
    await page.goto(news)
    expect(await page.getByRole('article').count()).toBe(
      samples.filter((each) => each.language === language).length,
    )
    await page.getByRole('link', { name: t('news.category.technicalUpdates'), exact: true }).click()
    await page.waitForURL('**/news/category/technical-updates')
    expect(await page.getByRole('article').allTextContents()).toEqual([expect.stringContaining(post.title)])
    await page.getByRole('searchbox').fill(language === 'cn' ? '同步' : 'batches')
    await page.getByRole('button', { name: t('news.search.submit'), exact: true }).click()
    await page.waitForURL('**q=**')
    expect(await page.getByRole('article').count()).toBe(1)
    await page.getByRole('link', { name: post.title }).click()
    await page.waitForURL(`**${news}/*`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(post.title)
    expect(await page.title()).toContain(post.title)
    const linked = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!) as {
      '@graph': object[]
    }
    expect(linked['@graph'][0]).toMatchObject({ '@type': 'NewsArticle', headline: post.title })
    await page.goto(`${news}?q=zzzz`)
    expect(await page.getByRole('main').textContent()).toContain(t('news.nothingFound'))
  },
)

test.each(languagesUnderTest('cn'))(
  'without JavaScript, in %s, cards have pictures, and posts link to their category and to related posts',
  async (language) => {
    const t = wordsOf(language)
    const { page } = await aVisitor(product.url, { javaScriptEnabled: false })
    const news = language === 'cn' ? '/cn/news' : '/news'
    const own = samples.find((each) => each.language === language && each.card)!
    await page.goto(news)
    const pictures = page.getByRole('article').locator('img')
    expect(await pictures.count()).toBe(await page.getByRole('article').count())
    expect(await page.getByRole('article').getByRole('img', { name: own.card!.alt }).count()).toBe(1)
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded()
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0)
    }
    expect(await pictures.evaluateAll((all) => all.map((image) => image.getAttribute('loading')))).toEqual([
      null,
      ...Array.from({ length: (await pictures.count()) - 1 }, () => 'lazy'),
    ])

    await page.getByRole('link', { name: own.title }).last().click()
    // A click doesn't wait for the next page.
    await expect.poll(() => page.content()).toMatch(/"timeRequired":"PT\d+M"/)
    const html = await page.content()
    const shared = await fetch(/property="og:image" content="(.+?)"/.exec(html)![1]!)
    expect(shared.headers.get('content-type')).toBe('image/jpeg')
    const related = page.getByRole('region', { name: t('news.related') }).getByRole('heading', { level: 3 })
    expect(await related.count()).toBe(3)
    await page
      .getByRole('article')
      .getByRole('link', { name: t('news.category.technicalUpdates') })
      .click()
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toBe(t('news.category.technicalUpdates'))
    expect(await page.getByRole('article').allTextContents()).toEqual([expect.stringContaining(own.title)])
    expect(await page.title()).toContain(t('news.category.technicalUpdates'))
    for (const gone of ['/news/category/gossip', '/news/author/nobody-012345'])
      expect((await fetch(product.url + gone)).status).toBe(404)
  },
)

test('with script the same links lead to the same pages, and back', async () => {
  const t = wordsOf('en')
  const { page } = await aVisitor(product.url)
  await page.goto('/news')
  await page.getByRole('searchbox').fill('workshop')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
  await page.getByRole('article').getByRole('link').first().click()
  await page.getByRole('link', { name: t('news.post.back') }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/news\/open-workshop/)
  await page.goBack()
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
  expect(new URL(page.url()).search).toBe('?q=workshop')
})

test('shows a not-found page for an unknown post', async () => {
  const ask = (accept: string) =>
    fetch(`${product.url}/news/nothing`, { headers: { accept }, redirect: 'manual' })
  for (const accept of ['text/html', '*/*']) expect((await ask(accept)).status).toBe(404)
  expect(await (await ask('text/html')).text()).toContain(wordsOf('en')('news.missing.heading'))
})
