import type { Page } from 'playwright-core'
import { storageKey } from '#content/brand.json'
import { defaultAppId } from '#contract/apps.ts'
import type { Language } from '#contract/fields.ts'
import { goodPassword } from '#tests/builders.ts'
import { aVisitor } from './browser.ts'
import type { Product } from './start-product.ts'
import { wordsOf } from './words.ts'

export const publisherEmail = 'editor@example.org'

/** With these a product has somebody who may publish. */
export const publisherSettings = { ADMIN_EMAILS: publisherEmail, STAFF_SECOND_FACTOR: 'optional' }

/** Makes the account that `aPublisher` signs in with. */
export async function makePublisher(product: Product): Promise<void> {
  await product.post('members/create', { email: publisherEmail, password: goodPassword })
  const [mail] = await product.mailsTo(publisherEmail)
  const [, email, code] = /activate\?email=([^&\s]+)&code=([\w-]+)/.exec(mail!.text) ?? []
  const answer = await fetch(`${product.url}/v2/members/activation/${email}/${code}`, {
    headers: { 'x-app-id': defaultAppId },
  })
  if ((await answer.json()) !== true) throw new Error('the publisher could not be activated')
}

/** A signed-in publisher on the news page, in a browser of their own. */
export async function aPublisher(product: Product, language: Language): Promise<Page> {
  const { page } = await aVisitor(product.url, { locale: language === 'cn' ? 'zh-CN' : 'en-US' })
  await signInPublisher(page, product, language)
  return page
}

/** Signs the publisher in and goes to the news page. */
export async function signInPublisher(page: Page, product: Product, language: Language): Promise<void> {
  const t = wordsOf(language)
  await page.context().addCookies([{ name: 'language', value: language, url: product.url }])
  await page.addInitScript(([key, code]) => localStorage.setItem(key, code), [storageKey, language] as const)
  await page.goto('/login/signin')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(publisherEmail)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: t('login.signin.submit') }).click()
  await page.waitForURL('**/account/account-details')
  await page.goto('/news')
}
