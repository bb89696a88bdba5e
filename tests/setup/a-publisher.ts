import type { Page } from 'playwright-core'
import { defaultAppId } from '#contract/people/apps.ts'
import type { Language } from '#contract/platform/fields.ts'
import { acceptedConsents, goodPassword } from '#tests/builders.ts'
import { aVisitor } from './browser.ts'
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

/** Signs up and activates. */
export async function makeActiveMember(
  product: Pick<Product, 'url' | 'post' | 'mailsTo'>,
  email: string,
): Promise<void> {
  await product.post('members/create', { email, password: goodPassword, consents: acceptedConsents })
  const activation = find(await product.mailsTo(email), /https?:\S+activate\S+/)
  const code = new URL(activation).searchParams.get('code')
  await fetch(`${product.url}/v2/members/activation/${email}/${code}`, {
    headers: { 'x-app-id': defaultAppId },
  })
}

/**
 * An address in `ADMIN_EMAILS` signs up, activates the account, and sets the password by email, which grants the
 * rights.
 */
export async function makeAdministrator(
  product: Pick<Product, 'url' | 'post' | 'mailsTo'>,
  email: string,
  password: string = goodPassword,
): Promise<void> {
  await makeActiveMember(product, email)
  await chooseAdministratorPassword(product, email, password)
}

/** Uses the link in the email that follows the activation. */
export async function chooseAdministratorPassword(
  product: Pick<Product, 'post' | 'mailsTo'>,
  email: string,
  password: string = goodPassword,
): Promise<void> {
  const link = find(await product.mailsTo(email), /choose-password\/\S+/)
  const [, id, pwdresetcode] = link.split('/')
  const answer = await product.post('members/exepwdreset', { id, pwdresetcode, passwd: password })
  if (answer.status !== 200) throw new Error(`the administrator's password was answered ${answer.status}`)
}

const find = (mails: readonly { text: string }[], what: RegExp): string => {
  const found = mails.map(({ text }) => what.exec(text)?.[0]).find(Boolean)
  if (found === undefined) throw new Error(`no mail with ${what}`)
  return found
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
