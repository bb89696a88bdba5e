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
    await page.waitForURL('**/news?category=technical-updates')
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

test('an unknown announcement is answered with a not-found page', async () => {
  const ask = (accept: string) =>
    fetch(`${product.url}/news/nothing`, { headers: { accept }, redirect: 'manual' })
  for (const accept of ['text/html', '*/*']) expect((await ask(accept)).status).toBe(404)
  expect(await (await ask('text/html')).text()).toContain(wordsOf('en')('news.missing.heading'))
})
