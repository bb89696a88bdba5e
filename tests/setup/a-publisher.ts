import type { Page } from 'playwright-core'
import type { Language } from '#contract/fields.ts'
import { aVisitor } from './browser.ts'
import { makeAdministrator } from './make-administrator.ts'
import { signInByCall } from './sign-in.ts'
import type { Product } from './start-product.ts'

export const publisherEmail = 'editor@example.org'

/** The settings of a product with one publisher. */
export const publisherSettings = { ADMIN_EMAILS: publisherEmail, STAFF_SECOND_FACTOR: 'optional' }

export const secondPublisherEmail = 'second-editor@example.org'
/** The settings of a product with two publishers. */
export const publishersSettings = {
  ...publisherSettings,
  ADMIN_EMAILS: `${publisherEmail},${secondPublisherEmail}`,
}

/** Makes the account that `aPublisher` signs in with. */
export const makePublisher = (product: Product, address = publisherEmail): Promise<void> =>
  makeAdministrator(product, address)

/** A signed-in publisher on the news page, in a browser of their own. */
export async function aPublisher(
  product: Product,
  language: Language,
  address = publisherEmail,
): Promise<Page> {
  const { page } = await aVisitor(product.url, { locale: language === 'cn' ? 'zh-CN' : 'en-US' })
  await signInPublisher(page, product, language, address)
  return page
}

/** Signs the publisher in and goes to the news page. */
export async function signInPublisher(
  page: Page,
  product: Product,
  language: Language,
  address = publisherEmail,
): Promise<void> {
  await signInByCall(page, product, language, address)
  await page.goto('/news')
}
