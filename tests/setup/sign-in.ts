import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import brand from '#content/brand.json' with { type: 'json' }
import { defaultAppId } from '#contract/people/apps.ts'
import type { Language } from '#contract/platform/fields.ts'
import { acceptedConsents, anEmail, goodPassword } from '#tests/builders.ts'
import type { Product } from './start-product.ts'
import { wordsOf } from './words.ts'

/** A member who has signed up, activated the account, and signed in in the same browser. Returns the email address. */
export async function join(product: Product): Promise<string> {
  const email = anEmail()
  await product.post('members/create', { email, password: goodPassword, consents: acceptedConsents })
  const [mail] = await product.mailsTo(email)
  const link = new URL(/https?:\S+activate\S+/.exec(mail!.text)![0])
  const activation = `${product.url}/v2/members/activation/${email}/${link.searchParams.get('code')}`
  const answer = await fetch(activation, { headers: { 'x-app-id': defaultAppId } })
  if (answer.status !== 200) throw new Error(`activation answered ${answer.status}`)
  await signInWhereActivated(product, email, answer)
  return email
}

/**
 * From the open sign-up form through the email to the session, like a person. `onActivation` checks the page that the
 * email links to.
 */
export async function signUpAndIn(
  page: Page,
  product: Product,
  language: Language,
  onActivation: () => Promise<void> = async () => {},
): Promise<string> {
  const t = wordsOf(language)
  const email = anEmail()
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByLabel(t('login.signup.password.label'), { exact: true }).fill(goodPassword)
  await page.getByLabel(t('login.signup.confirm.label'), { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: t('login.signup.submit') }).click()
  await page.waitForURL('**/login/activate')

  const [mail] = await product.mailsTo(email)
  expect(mail!.subject).toContain(language === 'cn' ? '激活' : 'Activate')
  await page.goto(/https?:\S+activate\S+/.exec(mail!.text)![0])
  await onActivation()
  await page.getByRole('button', { name: t('login.activate.submit'), exact: true }).click()
  await page.waitForURL('**/login/signin')
  await fillInSignIn(page, language, email, goodPassword)
  return email
}

/** Signing in this way verifies the email address. Signs out afterwards. */
export async function signInWhereActivated(
  product: Pick<Product, 'post'>,
  email: string,
  activation: Response,
): Promise<void> {
  const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((each) => each.split(';')[0]!)
  const body = { email, password: goodPassword }
  const answer = await product.post('members/login', body, { cookie: cookiesOf(activation).join('; ') })
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}`)
  const cookies = cookiesOf(answer)
  const token = cookies.find((each) => each.startsWith('XSRF-TOKEN='))!.slice('XSRF-TOKEN='.length)
  const left = await product.post('members/logout', null, {
    cookie: cookies.join('; '),
    'x-xsrf-token': token,
  })
  if (left.status !== 200) throw new Error(`sign-out answered ${left.status}`)
}

/** Signs in through the page, in the given language. */
export async function signIn(
  page: Page,
  language: Language,
  email: string,
  password: string = goodPassword,
): Promise<void> {
  await chooseLanguage(page, language)
  await page.goto('/login/signin')
  await fillInSignIn(page, language, email, password)
}

/** The same without a page, for tests that are not about signing in. */
export async function signInByCall(
  page: Page,
  product: Pick<Product, 'url'>,
  language: Language,
  email: string,
): Promise<void> {
  const context = page.context()
  await context.addCookies([{ name: 'language', value: language, url: product.url }])
  await chooseLanguage(page, language)
  // The browser gets its cookies.
  const answer = await context.request.post('/v2/members/login', {
    headers: { 'x-app-id': defaultAppId, origin: product.url },
    data: { email, password: goodPassword },
  })
  if (!answer.ok()) throw new Error(`${email} could not sign in: ${answer.status()}`)
}

/** A sandboxed frame has no storage. */
const chooseLanguage = (page: Page, language: Language) =>
  page.addInitScript(([key, chosen]) => void (self === top && localStorage.setItem(key, chosen)), [
    brand.storageKey,
    language,
  ] as const)

async function fillInSignIn(page: Page, language: Language, email: string, password: string): Promise<void> {
  const t = wordsOf(language)
  // The sign-up form has an email field too, but only this one has a password field alone.
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(password)
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByRole('button', { name: t('login.signin.submit') }).click()
  await page.waitForURL('**/account/**')
}
