import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisitor } from '#tests/setup/browser.ts'
import { expectNoShift } from '#tests/setup/check-page.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
let product: Product
beforeAll(async () => {
  product = await startOnCopy()
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

const size = { width: 1280, height: 800 }

test('the section links stay in view, lead to the headings, and mark the current section', async () => {
  const { page } = await aVisitor(product.url, { reducedMotion: 'reduce', viewport: size })
  await page.goto('/', { waitUntil: 'networkidle' })
  const links = page.getByRole('navigation', { name: t('home.sections.label') })
  const target = links.getByRole('link', { name: t('home.sections.comparison') })
  await target.click()
  await expect.poll(() => target.getAttribute('aria-current')).toBe('true')
  const bar = (await links.boundingBox())!
  const heading = (await page.getByRole('heading', { name: t('home.comparison.heading') }).boundingBox())!
  // The bar is below the header and doesn’t cover a heading.
  expect(bar.y).toBeGreaterThan(40)
  expect(heading.y).toBeGreaterThan(bar.y + bar.height)
  expect(heading.y).toBeLessThan(size.height / 2)
  await links.getByRole('link', { name: t('home.sections.team') }).click()
  await expect.poll(() => target.getAttribute('aria-current')).toBe(null)
  expect(await links.locator('[aria-current]').count()).toBe(1)
  await expectNoShift(page)
  await page.setViewportSize({ width: 1100, height: 800 })
  expect(await links.isVisible()).toBe(false)
})

test('the section links work without JavaScript', async () => {
  const { page } = await aVisitor(product.url, { javaScriptEnabled: false, viewport: size })
  await page.goto('/')
  await page.getByRole('link', { name: t('home.sections.roadmap'), exact: true }).click()
  await expect
    .poll(async () => (await page.getByRole('heading', { name: t('home.roadmap.heading') }).boundingBox())!.y)
    .toBeLessThan(size.height / 2)
})

test('the roadmap opens at the current date', async () => {
  const { page } = await aVisitor(product.url, { reducedMotion: 'reduce', viewport: size })
  await page.goto('/', { waitUntil: 'networkidle' })
  const rail = page.getByRole('group', { name: t('home.roadmap.heading') })
  const today = rail.locator('[aria-current=date]')
  await expect.poll(() => rail.evaluate((node) => node.scrollLeft)).toBeGreaterThan(0)
  const [window, milestone] = [(await rail.boundingBox())!, (await today.boundingBox())!]
  expect(milestone.x).toBeGreaterThan(window.x)
  expect(milestone.x + milestone.width).toBeLessThan(window.x + window.width)
  // The text of a section exists for `innerText` only once the section is near the screen.
  await rail.scrollIntoViewIfNeeded()
  await expect.poll(() => today.innerText()).toContain(t('home.roadmap.today'))
  // The mark is on the last milestone that has begun.
  const dates = await rail
    .locator('time')
    .evaluateAll((all) => all.map((each) => each.getAttribute('datetime')!))
  const date = (await today.locator('time').getAttribute('datetime'))!
  expect(Date.parse(date)).toBeLessThanOrEqual(Date.now())
  const next = dates[dates.indexOf(date) + 1]
  if (next) expect(Date.parse(next)).toBeGreaterThan(Date.now())
})
