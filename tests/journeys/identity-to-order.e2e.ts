import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import type { Order } from '#contract/money/orders.ts'
import type { SignedIn } from '#contract/people/sessions.ts'
import { anApplicant, anEmail, goodPassword } from '#tests/builders.ts'
import { approveOnPage } from '#tests/setup/approve-case.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { signIn, signUpAndIn } from '#tests/setup/sign-in.ts'
import { sampleAccount, type SampleAccount } from '#tests/setup/sample-accounts.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { waysUnderTest } from '#tests/setup/sizes.ts'
import { ownAddress } from '#tests/own-chain.ts'

const fabAddress = ownAddress
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let product: Product
let officer: SampleAccount
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
  officer = await sampleAccount(product, 'admin')
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

const photo = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background: '#a98' } })
    .jpeg()
    .toBuffer(),
})

const arrived = (page: Page) => page.locator('li [role=status]')

/** The computer shows a QR code; a phone opens it, sends two photos, removes one, and finishes. */
async function goOnWithPhone(page: Page, language: Language): Promise<void> {
  const t = wordsOf(language)
  await page.getByRole('button', { name: t('kyc.handoff.begin') }).click()
  const address = await page.getByText('/kyc/phone').innerText()
  await checkPage(page)

  const { page: other, context } = await aVisitor(product.url, phone)
  const asked: string[] = []
  context.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''))
  await other.goto(address)
  const field = other.locator('input[name=photoId]')
  await field.waitFor({ state: 'attached' })
  expect(new URL(other.url()).hash).toBe('')
  await page.getByText(t('kyc.handoff.openHelp')).waitFor()
  await checkPage(other)

  await field.setInputFiles([await photo('one.jpg'), await photo('two.jpg')])
  await expect.poll(() => arrived(other).count()).toBe(2)
  await expect.poll(() => arrived(page).count()).toBe(3)
  await other.getByRole('button', { name: t('kyc.photo.removeNamed', { name: 'two.jpg' }) }).click()
  await expect.poll(() => arrived(page).count()).toBe(2)

  // A reload continues the upload, but the link no longer works for anyone else.
  await other.reload()
  await other.getByText(t('kyc.phone.sent', { count: 1 })).waitFor()
  const stranger = await aVisitor(product.url, phone)
  await stranger.page.goto(address)
  await stranger.page.getByText(t('kyc.phone.refused')).waitFor()

  await other.getByRole('button', { name: t('kyc.phone.finish') }).click()
  await other.getByText(t('kyc.phone.done')).waitFor()
  await checkPage(other)
  await page.getByText(t('kyc.handoff.endedWith', { count: 1 })).waitFor()
  const link = new URL(address).hash.slice(1)
  expect(asked.filter((url) => url.split('#')[0]!.includes(link))).toEqual([])
}

/** Signs up in the language, like a person. */
async function signUp(page: Page, language: Language): Promise<string> {
  await page.context().addCookies([{ name: 'language', value: language, url: product.url }])
  const chosen = [storageKey, language] as const
  await page.addInitScript(([key, value]) => localStorage.setItem(key, value), chosen)
  await page.goto('/login/signup')
  return signUpAndIn(page, product, language, () => checkPage(page))
}

/** The member reports the payment, finance completes the order, and the member sees it. */
async function pay(page: Page, language: Language, email: string): Promise<void> {
  const t = wordsOf(language)
  await page.getByLabel(t('orders.txId'), { exact: true }).fill(randomBytes(32).toString('hex'))
  await page.getByRole('button', { name: t('orders.report.submit') }).click()
  await page.getByText(t('orders.steps.waitingForFinance')).first().waitFor()
  const as = async (who: { email: string; password: string }) => {
    const answer = await product.post('members/login', who)
    return { 'x-access-token': ((await answer.json()) as SignedIn).token }
  }
  const found = await product.post('icotx/find', {}, await as({ email, password: goodPassword }))
  const [placed] = (await found.json()) as Order[]
  const completed = { _id: placed!._id, status: 'completed', paidAmount: placed!.amount, reason: 'A sample.' }
  expect((await product.post('icotx/update', completed, await as(officer))).status).toBe(200)
  await page.reload()
  await page.getByText(t('orders.steps.completed')).first().waitFor()
  await checkPage(page)
}

async function approve(language: Language, name: string): Promise<void> {
  const t = wordsOf(language)
  const { page } = await aVisitor(product.url)
  await signIn(page, language, officer.email, officer.password)
  await page.goto('/console/identity')
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('button', { name: t('review.take') }).click()
  await page.getByText(t('review.mine')).waitFor()
  await approveOnPage(page, t, { name, photos: 2 })
}

async function order(page: Page, language: Language): Promise<void> {
  const t = wordsOf(language)
  await page.getByRole('link', { name: t('kyc.toOrders') }).click()
  await page.getByRole('link', { name: t('orders.place'), exact: true }).click()
  await page.getByLabel(t('orders.place.payMethod')).selectOption('BTC')
  await page.getByLabel(t('orders.place.amount'), { exact: true }).fill('0.25')
  await page.getByLabel(t('orders.fabAddress')).fill(fabAddress)
  await page.getByRole('button', { name: t('orders.place.quote') }).click()
  await page.getByRole('button', { name: t('orders.quote.submit') }).click()
  await page.getByText('1BitcoinEaterAddressDontSendf59kuE').first().waitFor()
}

test.each(waysUnderTest('en'))(
  'from signing up to the approval to a paid order ($language, $size)',
  async ({ language, size, screen }) => {
    const t = wordsOf(language)
    const name = `Sample ${anEmail().split('@')[0]}`
    const { page } = await aVisitor(product.url, screen)
    const email = await signUp(page, language)
    await page.goto('/kyc')
    await page.getByLabel(t('kyc.fullName'), { exact: true }).fill(name)
    await page.getByLabel(t('kyc.dateOfBirth'), { exact: true }).fill('1990-01-31')
    await page.getByLabel(t('kyc.ethAddress'), { exact: true }).fill(anApplicant(email).ethAddress)
    await page.locator('input[name=photoId]').setInputFiles([await photo('front.jpg')])
    await expect.poll(() => arrived(page).count()).toBe(1)
    if (size === 'desktop') await goOnWithPhone(page, language)
    else {
      expect(await page.getByRole('button', { name: t('kyc.handoff.begin') }).isVisible()).toBe(false)
      await page.locator('input[capture]').setInputFiles([await photo('back.jpg')])
      await expect.poll(() => arrived(page).count()).toBe(2)
    }
    await page.getByRole('button', { name: t('kyc.submit') }).click()
    await page.getByText(t('kyc.status.submitted.text')).waitFor()
    await page.getByText(t('kyc.photoCount', { count: 2 }), { exact: true }).waitFor()

    await approve(language, name)
    await page.reload()
    await page.getByText(t('kyc.status.approved.text')).waitFor()
    await checkPage(page)
    await order(page, language)
    await pay(page, language, email)
    const kinds = (await product.mailsTo(email)).map(({ kind }) => kind)
    expect(kinds).toEqual(
      expect.arrayContaining([
        'kyc-submitted',
        'kyc-approved',
        'order-placed',
        'order-payment-reported',
        'order-completed',
      ]),
    )
  },
)
