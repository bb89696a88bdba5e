import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import type { KycApplication } from '#contract/people/kyc.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { Order } from '#contract/money/orders.ts'
import type { SignedIn } from '#contract/people/sessions.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { acceptedConsents, anApplicant, anEmail, aPicture, goodPassword } from '#tests/builders.ts'
import { approveCase } from '#tests/setup/approve-case.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { sampleAccount, type SampleAccount } from '#tests/setup/sample-accounts.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'
import { misspeltAddress, ownAddress } from '#tests/own-chain.ts'

const fabAddress = ownAddress

let product: Product
let finance: string
let admin: SampleAccount
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
  admin = await sampleAccount(product, 'admin')
  finance = (await post<SignedIn>('members/login', admin)).token
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

/** An activated member, created through the API. */
async function join(): Promise<string> {
  const email = anEmail()
  await post('members/create', { email, password: goodPassword, consents: acceptedConsents })
  const [mail] = await product.mailsTo(email)
  const code = new URL(/https?:\S+activate\S+/.exec(mail!.text)![0]).searchParams.get('code')!
  const headers = { 'x-app-id': '5b9a3f7c2e8d41609fab0001' }
  await fetch(`${product.url}/v2/members/activation/${email}/${code}`, { headers })
  return email
}

async function proveIdentity(email: string): Promise<void> {
  const { token } = await post<SignedIn>('members/login', { email, password: goodPassword })
  const body = { ...anApplicant(email), photoUrls: [await aPicture()] }
  const { _id } = await post<KycApplication>('kyc/create', body, token)
  await approveCase(product, _id, { 'x-access-token': finance })
}

async function signIn(page: Page, language: Language, email: string, password = goodPassword): Promise<void> {
  const t = wordsOf(language)
  await page.addInitScript(([key, code]) => localStorage.setItem(key, code), [storageKey, language] as const)
  await page.context().addCookies([{ name: 'language', value: language, url: product.url }])
  await page.goto('/login/signin')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('login.signin.submit') }).click()
  await page.waitForURL('**/account/account-details')
}

/** Accessible, without raw message keys, and no wider than a narrow phone. */
async function askForPrice(page: Page, language: Language, amount: string): Promise<void> {
  const t = wordsOf(language)
  await page.getByRole('link', { name: t('orders.place'), exact: true }).click()
  await page.getByLabel(t('orders.place.payMethod')).selectOption('BTC')
  await page.getByLabel(t('orders.place.amount'), { exact: true }).fill(amount)
  await page.getByLabel(t('orders.fabAddress')).fill(fabAddress)
  await page.getByRole('button', { name: t('orders.place.quote') }).click()
}

const placed = async (email: string): Promise<Order[]> => {
  const { token } = await post<SignedIn>('members/login', { email, password: goodPassword })
  return post<Order[]>('icotx/find', {}, token)
}

describe.each(languagesUnderTest('cn'))('in %s', (language) => {
  const t = wordsOf(language)
  // No two orders name the same transaction.
  const txId = randomBytes(32).toString('hex')

  test('a member orders, pays and reports it; finance completes it; total and receipt are updated', async () => {
    const email = await join()
    await proveIdentity(email)
    const { page } = await aVisitor(product.url)
    await signIn(page, language, email)
    const main = page.getByRole('main')
    await expect.poll(() => main.textContent()).toContain(t('orders.empty'))

    await askForPrice(page, language, '0.00001')
    const amount = page.getByLabel(t('orders.place.amount'), { exact: true })
    await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true')
    expect(await main.textContent()).toContain('0.001')
    await amount.fill('0,25')
    await page.getByLabel(t('orders.fabAddress')).fill(misspeltAddress)
    await amount.focus()
    await expect.poll(() => main.textContent()).toContain(t('field.address_checksum'))
    await checkPage(page)
    await page.getByLabel(t('orders.fabAddress')).fill(fabAddress)
    await page.getByRole('button', { name: t('orders.place.quote') }).click()
    await expect.poll(() => main.textContent()).toContain('30,000')
    await checkPage(page)

    await page.reload()
    await expect.poll(() => main.textContent()).toContain('30,000')
    await page.getByRole('button', { name: t('orders.quote.submit') }).click()
    await page.waitForURL('**/account/account-details?order=*')
    await expect.poll(() => main.textContent()).toContain('1BitcoinEaterAddressDontSendf59kuE')
    await expect
      .poll(() => main.getByRole('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0)
    expect(await page.getByRole('link', { name: t('orders.pay.open') }).getAttribute('href')).toMatch(
      /^bitcoin:1BitcoinEater\w+\?amount=0\.25&/,
    )
    await checkPage(page)

    const report = page.getByRole('button', { name: t('orders.report.submit') })
    await page.getByLabel(t('orders.txId'), { exact: true }).fill('my payment')
    await report.click()
    await expect.poll(() => main.textContent()).toContain(t('field.tx_id'))
    await page.getByLabel(t('orders.txId'), { exact: true }).fill(txId)
    await report.click()
    await expect.poll(() => main.textContent()).toContain(t('orders.steps.waitingForFinance'))
    expect(await main.textContent()).toContain(t('orders.report.done'))

    const [order] = await placed(email)
    expect(order).toMatchObject({ txId, status: 'pending', fabQty: 30_000, fabAddress })
    // Completing requires recent step-up authentication, however long the journey has taken so far.
    const { token } = await post<SignedIn>('members/login', admin)
    const received = { paidAmount: '0.25', reason: 'Seen on the chain.' }
    await post('icotx/update', { _id: order!._id, status: 'completed', ...received }, token)
    await page.reload()
    await expect.poll(() => main.textContent()).toContain(t('orders.steps.completed'))
    expect(await main.textContent()).not.toContain('1BitcoinEater')
    await checkPage(page)
    await page.evaluate(() => (window.print = () => (document.title = 'printed')))
    await page.getByRole('button', { name: t('orders.detail.print') }).click()
    expect(await page.title()).toBe('printed')
    await page.emulateMedia({ media: 'print' })
    expect(await main.innerText()).toContain(t('orders.detail.receipt'))
    expect(await page.getByRole('contentinfo').isVisible()).toBe(false)
    expect(await page.getByRole('banner').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })

    await page.getByRole('link', { name: t('orders.back') }).click()
    await expect.poll(() => main.locator('strong').textContent()).toContain('30,000')
    await checkPage(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: t('orders.csv') }).click(),
    ])
    const csv = readFileSync(await file.path(), 'utf8')
      .slice(1)
      .split('\r\n')
    expect(csv).toHaveLength(3)
    expect(csv[1]).toContain(`,BTC,0.25,30000,${t('orders.status.completed')},${txId}`)
    await page.getByRole('link', { name: t('orders.open', { reference: order!.reference }) }).click()
    await expect.poll(() => main.textContent()).toContain(t('orders.steps.completed'))

    const kinds = (await product.mailsTo(email)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind.startsWith('order-')).toSorted()).toEqual([
      'order-completed',
      'order-payment-reported',
      'order-placed',
    ])
  })

  test('without an approved identity the page says why ordering is not possible, and where to go', async () => {
    const { page } = await aVisitor(product.url)
    await signIn(page, language, await join())
    const main = page.getByRole('main')
    await expect.poll(() => main.textContent()).toContain(t('memberHome.order.afterIdentity'))
    expect(await page.getByRole('link', { name: t('orders.place'), exact: true }).count()).toBe(0)
    await checkPage(page)
    await page.goto('/account/account-details?order=new')
    await expect.poll(() => main.textContent()).toContain(t('orders.place.identityNeeded'))
    await checkPage(page)
    await page.getByRole('link', { name: t('orders.place.toIdentity') }).click()
    await page.waitForURL('**/kyc')
    await page.getByLabel(t('kyc.ethAddress')).fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD')
    await page.getByLabel(t('kyc.fullName')).focus()
    await expect.poll(() => page.getByRole('main').textContent()).toContain(t('field.address_checksum'))
  })

  test(
    'an answer that is lost, a reload and a second submission create only one order',
    { tags: ['nightly'] },
    async () => {
      const email = await join()
      await proveIdentity(email)
      const { page, context } = await aVisitor(product.url)
      await signIn(page, language, email)
      await askForPrice(page, language, '0.5')
      const submit = page.getByRole('button', { name: t('orders.quote.submit') })
      await submit.waitFor()

      // The order is placed, but its response never arrives.
      await context.route('**/v2/icotx/create', async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      })
      await submit.click()
      await expect.poll(() => page.getByRole('main').textContent()).toContain(t('errors.offline'))
      await page.reload()
      await expect.poll(() => page.getByRole('main').textContent()).toContain(t('orders.quote.unsure'))
      await checkPage(page)
      await context.unroute('**/v2/icotx/create')
      await page.getByRole('button', { name: t('orders.quote.resend') }).click()
      await page.waitForURL('**/account/account-details?order=*')
      const orders = await placed(email)
      expect(orders).toHaveLength(1)
      expect(page.url()).toContain(orders[0]!._id)
    },
  )

  test('an administrator looks a member up, confirms the name and upgrades them', async () => {
    const email = await join()
    const { page } = await aVisitor(product.url)
    await signIn(page, language, admin.email, admin.password)
    // The tool is collapsed.
    await page.locator('summary', { hasText: t('orders.upgrade.heading') }).click()
    const field = page.getByLabel(t('orders.upgrade.email'))
    const submit = page.getByRole('button', { name: t('orders.upgrade.submit') })
    await field.fill('nobody@example.org')
    await submit.click()
    await expect.poll(() => page.getByRole('main').textContent()).toContain(t('orders.upgrade.notFound'))
    await field.fill(email)
    await submit.click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.textContent()).toContain(email)
    await dialog.getByRole('button', { name: t('forms.cancel') }).click()
    const before = await post<{ isWriteAccessAdmin: boolean }>('members/findOne', { email }, finance)
    expect(before.isWriteAccessAdmin).toBe(false)
    await submit.click()
    await dialog.getByRole('button', { name: t('orders.upgrade.confirm', { name: email }) }).click()
    await expect
      .poll(() => page.getByRole('main').textContent())
      .toContain(t('orders.upgrade.done', { name: email, email }))
    const after = await post<{ isWriteAccessAdmin: boolean }>('members/findOne', { email }, finance)
    expect(after.isWriteAccessAdmin).toBe(true)
    expect((await product.mailsTo(email)).map(({ kind }) => kind)).toContain('rights-changed')
    const [notice] = await product.mailsTo(admin.email)
    expect(notice).toMatchObject({ kind: 'administrator-made', text: expect.stringContaining(email) })
  })
})
