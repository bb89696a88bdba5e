import { verify } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import brand from '#content/brand.json' with { type: 'json' }
import { defaultAppId } from '#contract/people/apps.ts'
import { officialListPath, type OfficialDocument } from '#contract/publishing/official.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { sampleAccount, type SampleAccount } from '#tests/setup/sample-accounts.ts'
import { signIn } from '#tests/setup/sign-in.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

let product: Product
let admin: SampleAccount
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
  admin = await sampleAccount(product, 'admin')
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

async function check(page: Page, text: string, heading: string): Promise<void> {
  await page.locator('textarea[name="text"]').fill(text)
  await page.locator('form[method="post"] button[type="submit"]').click()
  await page.getByRole('heading', { level: 2, name: heading }).waitFor()
}

/** Letters that look the same. */
const cyrillic = { a: '\u0430', e: '\u0435', o: '\u043E' }

const get = async <T>(path: string): Promise<T> =>
  (await (await fetch(product.url + path, { headers: { 'x-app-id': defaultAppId } })).json()) as T

test.each(['en', 'cn'] as const)(
  'a visitor asks about what is ours, a look-alike and a stranger; once staff list it as false, everybody is warned: %s',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const words = { brand: brand.name }
    const path = language === 'en' ? '/official' : '/cn/official'
    const fake = `support-${language}@elsewhere.example`
    const { page: visitor } = await aVisitor(product.url)
    await visitor.goto(path)
    await check(visitor, brand.email, t('official.official.heading', words))
    await checkPage(visitor)
    const [name, domain] = brand.email.split('@') as [string, string]
    const disguised = domain.replace(/[aeo]/, (letter) => cyrillic[letter as keyof typeof cyrillic])
    await check(visitor, `${name}@${disguised}`, t('official.disguised.heading', words))
    await checkPage(visitor)
    await check(visitor, fake, t('official.unknown.heading', words))
    // The pasted text does not appear in the URL.
    expect(visitor.url()).toBe(product.url + path)

    const { page: staff } = await aVisitor(product.url)
    await signIn(staff, language, admin.email, admin.password)
    await staff.waitForURL('**/account/account-details')
    await staff.goto('/console/official')
    await staff.getByRole('button', { name: t('consoleOfficial.addFalse') }).click()
    const form = staff.getByRole('form', { name: t('consoleOfficial.addFalse') })
    await form.getByLabel(t('consoleOfficial.kind'), { exact: true }).selectOption('email')
    await form.getByLabel(t('consoleOfficial.value'), { exact: true }).fill(fake)
    await form.getByLabel(t('consoleOfficial.note'), { exact: true }).fill('Pretends to be our support.')
    await checkPage(staff)
    await form.getByRole('button', { name: t('consoleOfficial.save') }).click()
    await staff.getByText(t('consoleOfficial.saved', { value: fake })).waitFor()

    // This also works without JavaScript.
    const { page: plain } = await aVisitor(product.url, { javaScriptEnabled: false })
    await plain.goto(path)
    await check(plain, ` ${fake.toUpperCase()} `, t('official.false.heading', words))
    await plain.getByText('Pretends to be our support.').waitFor()
    expect(plain.url()).toBe(product.url + path)

    const list = await get<{ document: string; keyId: string; signature: string }>(officialListPath)
    const keys = await get<{ keyId: string; pem: string }[]>('/v2/announcements/signing-keys')
    const { pem } = keys.find(({ keyId }) => keyId === list.keyId)!
    expect(verify(null, Buffer.from(list.document), pem, Buffer.from(list.signature, 'base64'))).toBe(true)
    const { entries } = JSON.parse(list.document) as OfficialDocument
    expect(JSON.stringify(entries)).toContain(brand.email)
    expect(JSON.stringify(entries)).not.toContain(fake)
  },
)
