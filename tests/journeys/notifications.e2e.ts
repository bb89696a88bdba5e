import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import { checkPage } from '#tests/setup/check-page.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { sampleAccount } from '#tests/setup/sample-accounts.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

let product: Product
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on', DEMO_WORLD: 'on' })
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

/** Moves the focus to an element with the Tab key. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab')
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return
  }
  throw new Error(`the Tab key doesn’t reach ${selector}`)
}

test.each(['en', 'cn'] as const)(
  'a member can read a notification and turn off emails with only the keyboard: %s',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const { email, password } = await sampleAccount(product, 'member')
    const { page } = await aVisitor(product.url)
    await page.addInitScript(([key, code]) => localStorage.setItem(key, code), [
      storageKey,
      language,
    ] as const)
    await page.context().addCookies([{ name: 'language', value: language, url: product.url }])
    await page.goto('/login/signin')
    await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
    await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(password)
    await page.getByRole('button', { name: t('login.signin.submit') }).click()
    await page.waitForURL('**/account/account-details')

    await page.goto('/account/notifications')
    await page.getByRole('list', { name: t('notifications.list') }).waitFor()
    await checkPage(page)
    await tabTo(page, 'a[href="/account/notifications?area=messages"]')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account/notifications?area=messages')
    await page.getByRole('list', { name: t('notifications.list') }).waitFor()
    await tabTo(page, 'a[href="/account/messages"]:not(nav a)')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account/messages')

    await page.goto('/account/notifications?show=emails')
    await page.getByRole('group', { name: t('notifications.emails.legend') }).waitFor()
    await checkPage(page)
    await tabTo(page, 'fieldset input[type="checkbox"]')
    const first = page.getByRole('checkbox', { name: t('notifications.area.identity') })
    const wasOn = await first.isChecked()
    await page.keyboard.press('Space')
    await page
      .getByText(t(wasOn ? 'notifications.emails.off' : 'notifications.emails.on'))
      .first()
      .waitFor()
    await page.reload()
    await expect.poll(() => first.isChecked()).toBe(!wasOn)
  },
)
