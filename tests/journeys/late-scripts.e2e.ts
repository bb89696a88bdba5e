import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { aVisitor } from '#tests/setup/browser.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')

let product: Product
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

const scriptsOf = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .flatMap(({ name }) => (name.endsWith('.js') ? [name.replace(/^.*\/|-[\w-]{7}\.js$/g, '')] : [])),
  )

/** Holds back a script of the page until the returned function is called. */
async function holdScript(page: Page, name: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(
    ({ pathname }) => pathname.startsWith(`/assets/app/${name}-`) && pathname.endsWith('.js'),
    async (route) => {
      await promise
      await route.continue()
    },
  )
  return resolve
}

/** Opens a page and holds back its script until the returned function is called. */
async function openWithout(page: Page, name: string, path: string): Promise<() => void> {
  const release = await holdScript(page, name)
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  await expect.poll(() => scriptsOf(page)).toContain('page-on-sign')
  // Time to run it. The network is not idle if the pointer already rests on the page.
  await page.waitForTimeout(500)
  return release
}

test.each([
  '/project',
  '/news',
  '/news/category/events',
  '/ambassador-program',
  '/help',
  '/sale',
  '/white-paper',
  '/official',
  '/contact',
  '/search',
  '/newsletter',
  '/legal/terms',
  '/login/signup',
  '/login/reset',
  '/cn/sale',
])('%s starts no script of its own before somebody is there', async (path) => {
  // A pointer that rests on the page would be a sign of a reader.
  const { page } = await aVisitor(product.url, { hasTouch: true, isMobile: true })
  await page.goto(path, { waitUntil: 'networkidle' })
  expect(await scriptsOf(page)).toHaveLength(4)
  const main = page.getByRole('main')
  const served = (await main.innerHTML()).slice(0, 200)
  await page.keyboard.press('Tab')
  await expect.poll(async () => (await scriptsOf(page)).length).toBeGreaterThan(5)
  // Hydration keeps what the server rendered.
  expect((await main.innerHTML()).slice(0, 200)).toBe(served)
})

test('what is typed before the script of a page arrives is calculated once it does', async () => {
  const { page } = await aVisitor(product.url)
  const release = await openWithout(page, 'sale-page', '/sale')
  const [amount, quantity] = await page.locator('#calculator input').all()
  const before = await quantity!.inputValue()
  await amount!.fill('0.02')
  expect(await quantity!.inputValue()).toBe(before)
  release()
  await expect.poll(() => quantity!.inputValue()).not.toBe(before)
  expect(await amount!.inputValue()).toBe('0.02')
})

test('a press before the script of a page arrives is repeated once it does', async () => {
  const { page } = await aVisitor(product.url)
  const release = await openWithout(page, 'signup-page', '/login/signup')
  const password = page.getByLabel(t('login.signup.password.label'), { exact: true })
  await password.fill('a sample of a password')
  await page
    .getByRole('button', {
      name: t('forms.password.showNamed', { field: t('login.signup.password.label') }),
    })
    .click()
  expect(await password.getAttribute('type')).toBe('password')
  release()
  await expect.poll(() => password.getAttribute('type')).toBe('text')
  expect(await password.inputValue()).toBe('a sample of a password')
})

test('what is typed before any script runs is kept, and the page starts without another sign', async () => {
  const { page } = await aVisitor(product.url, { hasTouch: true, isMobile: true })
  const release = await holdScript(page, 'page-on-sign')
  await page.goto('/login/signup', { waitUntil: 'commit' })
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill('nobody@people.example')
  for (const label of ['login.signup.password.label', 'login.signup.confirm.label'] as const)
    await page.getByLabel(t(label), { exact: true }).fill('a sample of a password')
  const submit = page.getByRole('button', { name: t('login.signup.submit') })
  expect(await submit.isDisabled()).toBe(true)
  release()
  await expect.poll(() => submit.isDisabled()).toBe(false)
})

test('a page that is open for ten seconds is being read', async () => {
  const { page } = await aVisitor(product.url, { hasTouch: true, isMobile: true })
  await page.goto('/project', { waitUntil: 'networkidle' })
  expect(await scriptsOf(page)).toHaveLength(4)
  await expect.poll(async () => (await scriptsOf(page)).length).toBeGreaterThan(5)
})

test('forms of the next page are sent even if the script of the first one never arrived', async () => {
  const { page } = await aVisitor(product.url)
  await openWithout(page, 'signup-page', '/login/signup')
  await page
    .getByRole('main')
    .getByRole('link', { name: t('login.signup.toSignin') })
    .click()
  await page.getByRole('heading', { level: 1, name: t('login.signin.heading') }).waitFor()
  const sent = page.waitForRequest((request) => request.method() === 'POST', { timeout: 10_000 })
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill('nobody@people.example')
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill('a sample of a password')
  await page.getByRole('button', { name: t('login.signin.submit'), exact: true }).click()
  await sent
})

test('a page whose script could not be loaded is hydrated at the next sign of a reader', async () => {
  const { page, context } = await aVisitor(product.url)
  await page.goto('/sale', { waitUntil: 'networkidle' })
  await context.setOffline(true)
  await page.mouse.move(300, 300)
  await page.waitForTimeout(500)
  await context.setOffline(false)
  const [amount, quantity] = await page.locator('#calculator input').all()
  await amount!.fill('0.02')
  const before = await quantity!.inputValue()
  await expect
    .poll(async () => {
      await amount!.fill('0.03')
      return quantity!.inputValue()
    })
    .not.toBe(before)
})

test('a film of a page is shown in its place when it is pressed before the script arrives', async () => {
  const { page } = await aVisitor(product.url)
  const release = await openWithout(page, 'ambassador-program-page', '/ambassador-program')
  await page.getByRole('main').locator('a[href*=".mp4"]').first().click()
  expect(new URL(page.url()).pathname).toBe('/ambassador-program')
  release()
  await page.locator('video').waitFor()
  expect(new URL(page.url()).pathname).toBe('/ambassador-program')
})
