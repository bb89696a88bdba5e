import type { Page } from 'playwright-core'
import brand from '#content/brand.json' with { type: 'json' }
import { defaultAppId } from '#contract/apps.ts'
import type { Language } from '#contract/fields.ts'
import { acceptedConsents, anEmail, goodPassword } from '#tests/builders.ts'
import type { Product } from './start-product.ts'
import { wordsOf } from './words.ts'

/** A member who has signed up and activated, by their address. */
export async function join(product: Product): Promise<string> {
  const email = anEmail()
  await product.post('members/create', { email, password: goodPassword, consents: acceptedConsents })
  const [mail] = await product.mailsTo(email)
  const link = new URL(/https?:\S+activate\S+/.exec(mail!.text)![0])
  const activation = `${product.url}/v2/members/activation/${email}/${link.searchParams.get('code')}`
  const answer = await fetch(activation, { headers: { 'x-app-id': defaultAppId } })
  if (answer.status !== 200) throw new Error(`activation answered ${answer.status}`)
  return email
}

/** Signs in through the page, in the given language. */
export async function signIn(
  page: Page,
  language: Language,
  email: string,
  password: string = goodPassword,
): Promise<void> {
  const t = wordsOf(language)
  await page.addInitScript(([key, chosen]) => localStorage.setItem(key, chosen), [
    brand.storageKey,
    language,
  ] as const)
  await page.goto('/login/signin')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('login.signin.submit') }).click()
  await page.waitForURL('**/account/**')
}
