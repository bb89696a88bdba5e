import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisitor } from '#tests/setup/browser.ts'
import { expectAccessible } from '#tests/setup/check-page.ts'
import { join, signIn } from '#tests/setup/sign-in.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

/** A shared machine may be slow, so the timeout is generous. */
const soon = { timeout: 30_000 }

let product: Product
beforeAll(async () => {
  product = await startOnCopy({})
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

test('leaving an edited profile asks first: by a link, “back”, signing out and closing the tab', async () => {
  const t = wordsOf('en')
  const { page } = await aVisitor(product.url, { reducedMotion: 'reduce' })
  await signIn(page, 'en', await join(product))
  await page.goto('/account/security')
  const sides = page.getByRole('navigation', { name: t('layout.account.label') })
  await sides.getByRole('link', { name: t('layout.account.userInfo') }).click()
  await page.getByRole('button', { name: t('account.profile.edit'), exact: true }).click()
  const typed = () => page.getByRole('textbox', { name: t('account.profile.firstName') })
  await typed().fill('Not saved yet')
  const question = page.getByRole('dialog', { name: t('forms.leave.title') })
  const answer = (key: string) => question.getByRole('button', { name: t(key), exact: true }).click()
  const expectStayed = async () => {
    await answer('forms.leave.stay')
    await expect.poll(() => question.count(), soon).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/account/user-info')
    expect(await typed().inputValue()).toBe('Not saved yet')
  }
  const goBack = () => page.evaluate(() => history.back())

  await sides.getByRole('link', { name: t('layout.account.details') }).click()
  await question.waitFor()
  await expectAccessible(page)
  await expectStayed()
  await goBack()
  await expectStayed()
  await page
    .getByRole('group', { name: t('layout.account.label') })
    .locator('summary')
    .click()
  await page.getByRole('button', { name: t('layout.account.signOut') }).click()
  await expectStayed()

  const warned = page.waitForEvent('dialog')
  void page.reload().catch(() => null)
  const warning = await warned
  expect(warning.type()).toBe('beforeunload')
  await warning.dismiss()
  expect(await typed().inputValue()).toBe('Not saved yet')

  await goBack()
  await answer('forms.leave.leave')
  await page.waitForURL('**/account/security')
  await page.getByRole('heading', { level: 1, name: t('security.heading') }).waitFor()
  await page.goForward()
  await page.getByRole('button', { name: t('account.profile.edit'), exact: true }).waitFor()
})
