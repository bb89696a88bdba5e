import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { storageKey } from '#content/brand.json'
import { createMember } from '#contract/people/members.ts'
import type { Language } from '#contract/platform/languages.ts'
import { anEmail, goodPassword } from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

let product: Product
// In a hook, because ordinary runs skip both tests, and nothing would stop what the file itself had started.
beforeAll(async () => {
  product = await startOnCopy()
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

/** From the same IP address as the browsers here. */
async function useUpSignUps(): Promise<void> {
  for (let done = 0; done <= createMember.proofOfWorkAfter!; done += 1)
    await product.post('members/create', { email: anEmail(), password: goodPassword })
}

/** The solver is delayed until it is released, because a fast machine finishes before the page can be checked. */
async function holdSolver(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isAsked = false
  await page.context().route('**/worker-work-solver-*.js', async (route) => {
    isAsked = true
    await promise
    await route.continue()
  })
  return { letGo: resolve, isAsked: () => isAsked }
}

/** By keyboard only, like a person without a mouse. */
async function signUpByKeyboard(page: Page, language: Language): Promise<string> {
  const t = wordsOf(language)
  const email = anEmail()
  await page.addInitScript(([key, code]) => localStorage.setItem(key, code), [storageKey, language] as const)
  await page.goto('/login/signup')
  await page.getByLabel(t('forms.email.label'), { exact: true }).focus()
  await page.keyboard.type(email)
  await page.getByLabel(t('login.signup.password.label'), { exact: true }).focus()
  await page.keyboard.type(goodPassword)
  await page.getByLabel(t('login.signup.confirm.label'), { exact: true }).focus()
  await page.keyboard.type(goodPassword)
  await page.keyboard.press('Enter')
  return email
}

test.each(languagesUnderTest('en'))(
  'past the soft limit a person signs up as before, a moment later, and is told what is done (%s)',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    await useUpSignUps()
    const { page, context } = await aVisitor(product.url)
    await context.addCookies([{ name: 'language', value: language, url: product.url }])
    const solver = await holdSolver(page)
    const email = await signUpByKeyboard(page, language)
    const said = page.getByRole('status').filter({ hasText: t('forms.work.checking') })
    await said.waitFor()
    await page.getByRole('progressbar', { name: t('forms.work.checking') }).waitFor()
    expect(await page.getByLabel(t('forms.email.label'), { exact: true }).inputValue()).toBe(email)
    await expectAccessible(page)
    await expectToFit(page)
    solver.letGo()
    await page.waitForURL('**/login/activate')
    await expect.poll(async () => (await product.mailsTo(email)).length).toBe(1)
  },
)

test(
  'whoever leaves the form meanwhile signs up nobody; the reset by mail asks in the same way',
  { tags: ['nightly'] },
  async () => {
    const t = wordsOf('en')
    await useUpSignUps()
    const { page } = await aVisitor(product.url)
    const solver = await holdSolver(page)
    const email = await signUpByKeyboard(page, 'en')
    await page.getByText(t('forms.work.checking')).waitFor()
    await page
      .getByRole('main')
      .getByRole('link', { name: t('login.signup.toSignin') })
      .click()
    await page.waitForURL('**/login/signin')
    solver.letGo()
    for (let done = 0; done <= 10; done += 1)
      await product.post('members/requestpwdreset', { email: anEmail() })
    await page.goto('/login/reset')
    await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
    await page.getByRole('button', { name: t('login.reset.submit') }).click()
    await page.getByText(t('login.reset.sent')).waitFor()
    // Nobody signed up with this address, so no email is sent.
    expect(await product.mailsTo(email)).toEqual([])
  },
)
