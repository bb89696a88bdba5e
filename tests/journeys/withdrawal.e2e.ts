import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import type { Order } from '#contract/money/orders.ts'
import type { SignedIn } from '#contract/people/sessions.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { sampleAccount, type SampleAccount } from '#tests/setup/sample-accounts.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'

let product: Product
let admin: SampleAccount
let buyer: SampleAccount
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
  admin = await sampleAccount(product, 'admin')
  buyer = await sampleAccount(product, 'member')
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

async function post<T>(path: string, body: unknown, token = ''): Promise<T> {
  const answer = await product.post(path, body, token ? { 'x-access-token': token } : {})
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

async function signedIn(language: Language, { email, password }: SampleAccount): Promise<Page> {
  const t = wordsOf(language)
  const { page } = await aVisitor(product.url)
  await page.addInitScript(([key, code]) => localStorage.setItem(key, code), [storageKey, language] as const)
  await page.context().addCookies([{ name: 'language', value: language, url: product.url }])
  await page.goto('/login/signin')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('login.signin.submit') }).click()
  await page.waitForURL('**/account/account-details')
  return page
}

/** Returns the text of an email to the member that mentions the order and matches the pattern. */
const mailAbout = async ({ reference }: Order, part: RegExp): Promise<string> =>
  (await product.mailsTo(buyer.email)).find(({ text }) => text.includes(reference) && part.test(text))
    ?.text ?? ''

/** An order that finance entered and whose payment the member reported. */
async function aPaidOrder(): Promise<Order> {
  const finance = (await post<SignedIn>('members/login', admin)).token
  const member = await post<SignedIn>('members/login', buyer)
  return post<Order>(
    'icotx/create',
    {
      memberId: member.id,
      payMethod: 'ETH',
      amount: '1.5',
      fabQty: '6000',
      fabAddress: '',
      txId: `0x${randomBytes(32).toString('hex')}`,
      reason: 'A sample.',
    },
    finance,
  )
}

test.each(['en', 'cn'] as const)(
  'a member withdraws from an order, finance accepts it and records the refund, and the member reads it: %s',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const order = await aPaidOrder()
    const member = await signedIn(language, buyer)
    await member.goto(`/account/account-details?order=${order._id}`)
    await member.getByRole('button', { name: t('withdrawals.ask') }).click()
    const asked = member.getByRole('dialog')
    await asked.getByLabel(t('withdrawals.ask.address')).fill(refundAddress)
    await asked.getByRole('button', { name: t('withdrawals.ask.confirm') }).click()
    const part = member.locator('section:has(> #withdrawal)')
    await part.getByText(t('withdrawals.state.requested')).waitFor()
    await checkPage(member)
    const receipt = await mailAbout(order, /W-[\dA-F]{5}-[\dA-F]{5}/)
    const [reference] = /W-[\dA-F]{5}-[\dA-F]{5}/.exec(receipt)!
    expect(await part.textContent()).toContain(reference)

    const finance = await signedIn(language, admin)
    await finance.goto('/console/withdrawals?flag=open')
    await finance.getByRole('link', { name: reference }).waitFor()
    await checkPage(finance)
    await finance.getByRole('link', { name: reference }).click()
    const desk = finance.locator('section:has(> #withdrawal)')
    await desk.getByRole('button', { name: t('consoleWithdrawals.accept') }).click()
    const dialog = finance.getByRole('dialog')
    await dialog.getByRole('button', { name: t('consoleWithdrawals.accept.confirm') }).click()
    await desk.getByRole('button', { name: t('consoleWithdrawals.refund') }).click()
    const txId = `0x${randomBytes(32).toString('hex')}`
    await dialog.getByLabel(t('consoleWithdrawals.txId')).fill(txId)
    await dialog.getByLabel(t('consoleWithdrawals.paidOn')).fill(new Date().toISOString().slice(0, 10))
    // Nobody recorded the reported payment.
    await dialog.getByLabel(t('consoleWithdrawals.reason.refund')).fill('A sample.')
    await dialog.getByRole('button', { name: t('consoleWithdrawals.refund.confirm') }).click()
    await desk.getByText(txId).waitFor()
    await checkPage(finance)

    await member.reload()
    await part.getByText(txId).waitFor()
    await checkPage(member)
    expect(await mailAbout(order, new RegExp(txId))).toContain(reference)
  },
)

test.each(['en', 'cn'] as const)(
  'the white paper’s page stands without script: %s',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const { page } = await aVisitor(product.url, { javaScriptEnabled: false })
    await page.goto(language === 'en' ? '/white-paper' : '/cn/white-paper')
    await page.getByText(t('whitePaper.statement.approval')).waitFor()
    const link = page.getByRole('main').locator('a[href$=".pdf"]').first()
    const hash = await page.locator('main code').first().innerText()
    const bytes = await (await fetch(new URL((await link.getAttribute('href'))!, product.url))).arrayBuffer()
    const digest = await crypto.subtle.digest('SHA-256', bytes)
    expect(hash).toBe(Buffer.from(digest).toString('hex'))
  },
)
