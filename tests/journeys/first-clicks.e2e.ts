import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { aPublisher, makePublisher, publisherSettings } from '#tests/setup/a-publisher.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { isFull } from '#tests/setup/languages-under-test.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')

/** Tall enough for a whole form, so that focusing a field scrolls nothing. */
const tall = { width: 1280, height: 3000 }

let product: Product
beforeAll(async () => {
  product = await startOnCopy(publisherSettings)
  await makePublisher(product)
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

/** Presses and releases like a person: long enough for the field that loses the focus to show its error. */
async function press(page: Page, target: Locator): Promise<void> {
  // For a link that wraps, the first line is used.
  const [x, y] = await target.evaluate((element) => {
    const { left, top, width, height } = element.getClientRects()[0]!
    return [left + width / 2, top + height / 2] as const
  })
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.waitForTimeout(150)
  await page.mouse.up()
}

/** Finds the clickable elements in the page's main part. */
const pressable = (page: Page) =>
  page.locator('main :is(a[href], button:not([type="submit"]):enabled, input[type="checkbox"]):visible')

/** Counts the clicks that reach the target, and prevents navigation. */
const countClicks = (target: Locator) =>
  target.evaluate((element) => {
    addEventListener(
      'click',
      (event) => {
        event.preventDefault()
        event.stopImmediatePropagation()
        if (event.target instanceof Node && element.contains(event.target))
          document.documentElement.dataset['clicked'] = 'yes'
      },
      { capture: true },
    )
  })

const pagesWithForms = [
  '/login/signin',
  '/login/signup',
  '/login/reset',
  '/login/activate',
  '/ambassador-program',
]

test.each(isFull ? pagesWithForms : ['/login/signin'])(
  'on %s every link and button next to a focused empty field takes the first click',
  async (path) => {
    const { page } = await aVisitor(product.url)
    await page.setViewportSize(tall)
    await page.goto(path)
    const field = page.locator('main form input:not([type="checkbox"]):visible').first()
    await field.waitFor()
    const form = page.locator('main form').first()
    const below = (await form.boundingBox())!.y
    const count = await pressable(page).count()
    let pressed = 0
    for (let n = 0; n < count; n += 1) {
      await page.goto(path)
      const target = pressable(page).nth(n)
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      const box = await target.boundingBox()
      // An error of a field must not move anything above the field.
      if (
        !box ||
        (await target.evaluate((element, top) => element.getBoundingClientRect().top + scrollY < top, below))
      )
        continue
      await field.focus()
      await countClicks(target)
      await press(page, target)
      const what = await target.textContent()
      expect([path, what, await page.locator('html').getAttribute('data-clicked')]).toEqual([
        path,
        what,
        'yes',
      ])
      pressed += 1
    }
    expect(pressed).toBeGreaterThan(0)
  },
)

test('“Forgot your password?” opens with the first click, and the error is shown to who stays', async () => {
  const { page } = await aVisitor(product.url)
  await page.setViewportSize(tall)
  await page.goto('/login/signin')
  const email = page.getByLabel(t('forms.email.label'))
  await email.click()
  await press(page, page.getByRole('heading', { level: 1 }))
  await page.getByText(t('FormErrors.FieldRequiredError')).waitFor()
  await page.goto('/login/signin')
  await email.click()
  await press(page, page.getByRole('link', { name: t('login.signin.forgot') }))
  await page.waitForURL('**/login/reset')
})

test('an untouched form does not begin with a list of what is missing, and its disabled button explains itself', async () => {
  const { page } = await aVisitor(product.url)
  await page.setViewportSize(tall)
  await page.goto('/login/signin')
  const button = page.locator('main form button[type="submit"]')
  const line = page.locator('main form p[aria-live="polite"]').last()
  await expect.poll(() => line.textContent()).toContain(t('forms.email.label'))
  expect((await line.boundingBox())!.height).toBeLessThan(5)
  await press(page, button)
  await expect.poll(async () => (await line.boundingBox())!.height).toBeGreaterThan(10)
})

test('Cancel closes an empty new post with the first click', async () => {
  const page = await aPublisher(product, 'en')
  await page.setViewportSize(tall)
  await page.getByRole('button', { name: t('news.create') }).click()
  // The button moves until the editor has loaded.
  await page.getByRole('textbox', { name: t('news.form.content') }).waitFor()
  await page.getByLabel(t('news.form.title')).focus()
  await press(page, page.getByRole('button', { name: t('forms.cancel') }))
  await expect.poll(() => page.getByLabel(t('news.form.title')).count()).toBe(0)
})
