import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import faq from '#content/facts/faq.json' with { type: 'json' }
import { aVisitor } from '#tests/setup/browser.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const [asked] = faq.questions

let product: Product
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

test('works without JavaScript, from the link in the header to an answer', async () => {
  const { page } = await aVisitor(product.url, { javaScriptEnabled: false })
  await page.goto('/project')
  await page
    .getByRole('banner')
    .getByRole('link', { name: t('layout.nav.search') })
    .click()
  await page.getByRole('searchbox').fill(asked!.en.question)
  await page.getByRole('button', { name: t('layout.nav.search') }).click()
  await page.getByRole('main').getByRole('listitem').first().getByRole('link').click()
  expect(new URL(page.url()).hash).toBe(`#${asked!.id}`)
  expect(await page.locator(`#${asked!.id}`).isVisible()).toBe(true)
})

/** Returns once the page listens. It starts with few files, so its network may be idle before. */
async function openStarted(page: Page, path: string): Promise<void> {
  await page.goto(path)
  const isStarted = (element: HTMLElement) =>
    Object.keys(element).some((key) => key.startsWith('__reactContainer'))
  await expect.poll(() => page.locator('#page').evaluate(isStarted)).toBe(true)
}

test('the first press of the slash key opens the search, unless someone is typing or turned it off', async () => {
  const { page } = await aVisitor(product.url)
  await openStarted(page, '/project')
  await page.keyboard.press('/')
  const field = page.getByRole('main').getByRole('searchbox')
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('a/b')
  expect(await field.inputValue()).toBe('a/b')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).search).toBe('?q=a%2Fb')
  await expectAccessible(page)
  await expectToFit(page)
  await page.getByRole('checkbox', { name: t('search.key') }).uncheck()
  await openStarted(page, '/help')
  await page.keyboard.press('/')
  await page.waitForTimeout(500)
  expect(new URL(page.url()).pathname).toBe('/help')
})

test('an old link to a post leads to a page that can find the post', async () => {
  const { page } = await aVisitor(product.url)
  const answer = await page.goto('/news/open-workshop-of-old')
  expect(answer?.status()).toBe(404)
  await expectAccessible(page)
  const field = page.getByRole('searchbox')
  expect(await field.inputValue()).toBe('open workshop of old')
  await field.fill('workshop')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 3 }).first().waitFor()
})

test(
  'the offline page appears in both languages without a connection, and browsers remove it once it is turned off',
  { tags: ['nightly'] },
  async () => {
    const { page } = await aVisitor(product.url, { serviceWorkers: 'allow' })
    const { port } = new URL(product.url)
    const begin = async (settings: Record<string, string>) => {
      product = await startOnCopy({ DEMO: 'on', PORT: port, ...settings })
    }
    await openStarted(page, '/help')
    await page.mouse.move(200, 200)
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))

    await product.stop()
    await page.goto('/project')
    const headings = ['en', 'cn'].map((language) => wordsOf(language as 'en' | 'cn')('offline.title'))
    expect(await page.getByRole('heading').allTextContents()).toEqual(headings)
    expect(await page.getByRole('main').evaluate((main) => getComputedStyle(main).display)).toBe('grid')
    await expectAccessible(page)
    await expectToFit(page)
    const stored = await page.evaluate(async () => {
      const names = await caches.keys()
      const entries = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return entries.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(stored.toSorted()).toEqual(['/offline.css', '/offline.html'])

    await begin({})
    await page.getByRole('link', { name: t('offline.retry') }).click()
    await page.getByRole('heading', { level: 1, name: t('project.hero.title') }).waitFor()

    await product.stop()
    await begin({ OFFLINE_PAGE: 'off' })
    await openStarted(page, '/help')
    await page.mouse.move(220, 220)
    const left = () =>
      page.evaluate(async () => ({
        workers: (await navigator.serviceWorker.getRegistrations()).length,
        caches: await caches.keys(),
      }))
    await expect.poll(left, { timeout: 20_000 }).toEqual({ workers: 0, caches: [] })
  },
)
