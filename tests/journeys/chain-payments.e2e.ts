import { HDKey } from '@scure/bip32'
import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import type { ChainState } from '#contract/money/chain-payments.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { KycApplication } from '#contract/people/kyc.ts'
import type { Order } from '#contract/money/orders.ts'
import type { Quote } from '#contract/money/sale.ts'
import type { SignedIn } from '#contract/people/sessions.ts'
import { chainTitles } from '#web/orders/chain/chain-labels.ts'
import { acceptedConsents, anApplicant, anEmail, aPicture, goodPassword } from '#tests/builders.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { approveCase } from '#tests/setup/approve-case.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'
import { startScriptedBitcoin } from '#tests/setup/scripted-bitcoin.ts'
import { sampleAccount, type SampleAccount } from '#tests/setup/sample-accounts.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

/** Versions of test networks (BIP-32). */
const versions = { private: 0x04358394, public: 0x043587cf }

let node: Awaited<ReturnType<typeof startScriptedBitcoin>>
let product: Product
let admin: SampleAccount
beforeAll(async () => {
  node = await startScriptedBitcoin()
  node.mine(3)
  const account = HDKey.fromMasterSeed(randomBytes(32), versions).derive("m/84'/1'/0'")
  product = await startOnCopy({
    DEMO: 'on',
    CHAIN_BTC_URL: node.url,
    CHAIN_BTC_NETWORK: node.network,
    CHAIN_BTC_XPUB: account.publicExtendedKey,
    CHAIN_BTC_CONFIRMATIONS: '3',
    CHAIN_LOOK_SECONDS: '1',
  })
  admin = await sampleAccount(product, 'admin')
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await node.stop()
  await removeTemporary(product.dataDir)
})

async function post<T>(path: string, body: unknown, token = ''): Promise<T> {
  const answer = await product.post(path, body, token ? { 'x-access-token': token } : {})
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
const signedIn = async (email: string, password = goodPassword): Promise<string> =>
  (await post<SignedIn>('members/login', { email, password })).token

/** An activated member with an approved identity and an order. */
async function aBuyer(): Promise<{ email: string; order: Order }> {
  const email = anEmail()
  await post('members/create', { email, password: goodPassword, consents: acceptedConsents })
  const [mail] = await product.mailsTo(email)
  const code = new URL(/https?:\S+activate\S+/.exec(mail!.text)![0]).searchParams.get('code')!
  const headers = { 'x-app-id': '5b9a3f7c2e8d41609fab0001' }
  await fetch(`${product.url}/v2/members/activation/${email}/${code}`, { headers })
  const token = await signedIn(email)
  const body = { ...anApplicant(email), photoUrls: [await aPicture()] }
  const { _id } = await post<KycApplication>('kyc/create', body, token)
  await approveCase(product, _id, { 'x-access-token': await signedIn(admin.email, admin.password) })
  const { quoteId } = await post<Quote>('icotx/quote', { payMethod: 'BTC', amount: '0.25' }, token)
  return { email, order: await post<Order>('icotx/create', { quoteId, fabAddress: ownAddress }, token) }
}

async function signIn(page: Page, language: Language, email: string, password = goodPassword): Promise<void> {
  const t = wordsOf(language)
  await page.addInitScript(([key, code]) => localStorage.setItem(key, code), [storageKey, language] as const)
  await page.context().addCookies([{ name: 'language', value: language, url: product.url }])
  await page.goto('/login/signin')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('login.signin.submit') }).click()
  await page.waitForURL((url) => !url.pathname.includes('signin'))
}

/** Accessible, without raw message keys, and no wider than a narrow phone. */
describe.each(languagesUnderTest('cn'))('in %s', (language) => {
  const t = wordsOf(language)

  test(
    'a member sees a payment arrive in parts, leave and return; finance completes it by what the chain shows',
    { tags: ['nightly'], timeout: 300_000 },
    async () => {
      const { email, order } = await aBuyer()
      const { page } = await aVisitor(product.url)
      await signIn(page, language, email)
      await page.goto(`/account/account-details?order=${order._id}`)
      const part = page.getByRole('region', { name: t('orders.now.heading') })
      /** The page polls automatically; the test requests an update. */
      const shows = async (state: ChainState) => {
        await expect
          .poll(
            async () => {
              await part.getByRole('button', { name: t('chainPayment.again') }).click()
              return part.getByRole('status').first().textContent()
            },
            { timeout: 60_000 },
          )
          .toContain(
            state === 'awaited' ? t('orders.now.pay', { amount: '0.25 BTC' }) : t(chainTitles[state]),
          )
      }
      await shows('awaited')
      await checkPage(page)
      // Only the line of the address, because in text without spaces the next word would seem to belong to it.
      const address = await page.getByRole('definition').locator('span', { hasText: 'bcrt1' }).innerText()

      const first = node.pay(address, '0.1')
      await shows('too_little')
      expect(await part.textContent()).toContain('0.15 BTC')
      await checkPage(page)
      const second = node.pay(address, '0.15')
      await shows('seen')
      node.mine()
      await shows('confirming')
      const progress = part.getByRole('progressbar')
      await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('1')
      expect(await part.textContent()).toContain(first)
      expect(await part.textContent()).toContain(second)
      await checkPage(page)
      // The member is not asked to pay again, or to report a known payment.
      expect(await page.getByRole('link', { name: t('orders.pay.open') }).count()).toBe(0)
      expect(await page.getByLabel(t('orders.txId'), { exact: true }).count()).toBe(0)

      node.reorganise(1)
      await shows('reorganised')
      await checkPage(page)
      node.mine(3)
      await shows('paid')
      await checkPage(page)

      const { page: desk } = await aVisitor(product.url)
      await signIn(desk, language, admin.email, admin.password)
      await desk.goto('/console')
      await desk.getByRole('link', { name: t('consoleHome.waiting.orders_ready') }).click()
      await desk.getByRole('link', { name: order.reference }).click()
      const evidence = desk.getByRole('region', { name: t('consoleOrders.chain') })
      await evidence.waitFor()
      expect(await evidence.textContent()).toContain(t('consoleOrders.chain.own'))
      expect(await evidence.textContent()).toContain(second)
      await checkPage(desk)
      await evidence.getByRole('button', { name: t('consoleOrders.chain.complete') }).click()
      const dialog = desk.getByRole('dialog')
      expect(await dialog.getByLabel(t('consoleOrders.record.amount')).inputValue()).toBe('0.25')
      await checkPage(desk)
      await dialog.getByRole('button', { name: t('consoleOrders.complete.confirm') }).click()
      await desk.getByText(t('consoleOrders.complete.done')).waitFor()

      // The open page of the member is updated automatically.
      await page.bringToFront()
      const closed = page.getByRole('region', { name: t('chainPayment.heading') })
      await expect.poll(() => closed.textContent()).toContain(t('chainPayment.paid.completed'))
      expect(await page.getByRole('button', { name: t('chainPayment.again') }).count()).toBe(0)
      await checkPage(page)

      await desk.goto('/console/health')
      await desk.getByRole('heading', { name: t('health.chain'), exact: true }).click()
      const watcher = desk.getByRole('article', { name: 'BTC' })
      await watcher.waitFor()
      expect(await watcher.textContent()).toContain(t('health.state.good'))
      await checkPage(desk)
    },
  )
})
