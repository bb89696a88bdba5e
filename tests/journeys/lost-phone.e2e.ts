import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import { goodPassword } from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { join, signIn } from '#tests/setup/sign-in.ts'
import { waysUnderTest } from '#tests/setup/sizes.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

let product: Product
beforeAll(async () => {
  product = await startOnCopy({})
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

type Says = ReturnType<typeof wordsOf>

async function checkPage(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectToFit(page)
}

/** Sets up an authenticator app. Returns the app and the recovery codes. */
async function setUpApp(page: Page, t: Says): Promise<{ app: TOTP; codes: string[] }> {
  await page.goto('/account/security')
  await page.getByRole('button', { name: t('security.factor.begin'), exact: true }).click()
  await page.getByRole('img', { name: t('security.factor.qr') }).waitFor()
  await checkPage(page)
  const secret = (await page.locator('ol code').textContent())!.replaceAll(' ', '')
  const app = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
  await page.getByLabel(t('login.factor.label'), { exact: true }).fill(app.generate())
  await page.getByRole('button', { name: t('security.factor.confirm') }).click()
  const listed = page.locator('ol li > code')
  await expect.poll(() => listed.count()).toBe(10)
  await checkPage(page)
  const codes = await listed.allTextContents()
  await page.getByRole('button', { name: t('security.codes.done') }).click()
  return { app, codes }
}

async function givePassword(page: Page, t: Says, email: string): Promise<void> {
  await page.goto('/login/signin')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: t('login.signin.submit'), exact: true }).click()
  await page.getByRole('heading', { name: t('login.factor.heading') }).waitFor()
}

async function giveCode(page: Page, t: Says, code: string): Promise<void> {
  await page.getByLabel(t('login.factor.label'), { exact: true }).fill(code)
  await page.getByRole('button', { name: t('login.signin.submit'), exact: true }).click()
}

test.each(waysUnderTest('cn'))(
  'whoever has lost the phone signs in with a recovery code and sets up another ($language, $size)',
  async ({ language, screen }) => {
    const t = wordsOf(language)
    const email = await join(product)
    const { page: before } = await aVisitor(product.url, screen)
    await signIn(before, language, email)
    const lost = await setUpApp(before, t)
    const anotherDevice = async () => {
      const { page: device, context } = await aVisitor(product.url, screen)
      await context.addCookies([{ name: 'language', value: language, url: product.url }])
      const chosen = [storageKey, language] as const
      await device.addInitScript(([key, value]) => localStorage.setItem(key, value), chosen)
      return device
    }

    // On another device, the password alone is not enough, and no code can be used twice.
    const page = await anotherDevice()
    await givePassword(page, t, email)
    await checkPage(page)
    await giveCode(page, t, '000000')
    await page.getByText(t('login.factor.wrong')).waitFor()
    await giveCode(page, t, lost.codes[0]!)
    await page.waitForURL('**/account/account-details')
    expect((await product.mailsTo(email)).map(({ kind }) => kind)).toContain('recovery-code-used')

    // The lost app is removed, and another one is set up with new codes.
    await page.goto('/account/security')
    await page.getByText(t('security.recovery.left', { count: 9 })).waitFor()
    await page.getByRole('button', { name: t('security.factor.remove'), exact: true }).click()
    await page.getByLabel(t('login.factor.label'), { exact: true }).fill(lost.codes[0]!)
    await page.getByRole('button', { name: t('security.factor.removeConfirm') }).click()
    await expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toContainEqual(expect.stringMatching(/\S/))
    await page.getByLabel(t('login.factor.label'), { exact: true }).fill(lost.codes[1]!)
    await page.getByRole('button', { name: t('security.factor.removeConfirm') }).click()
    await page.getByText(t('security.factor.removed')).waitFor()
    const found = await setUpApp(page, t)
    expect(found.codes.filter((code) => lost.codes.includes(code))).toEqual([])

    // A finder of the phone can sign in with neither its app nor the old codes.
    const finder = await anotherDevice()
    await givePassword(finder, t, email)
    for (const code of [lost.app.generate(), lost.codes[2]!]) {
      await giveCode(finder, t, code)
      await finder.getByText(t('login.factor.wrong')).waitFor()
      expect(new URL(finder.url()).pathname).toBe('/login/signin')
    }
    await giveCode(finder, t, found.codes[0]!)
    await finder.waitForURL('**/account/account-details')
  },
)
