import { pbkdf2Sync } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HDKey } from '@scure/bip32'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { copyOfTree } from '#tests/setup/copy-of-tree.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'
import { sampleAccount, type SampleAccount } from '#tests/setup/sample-accounts.ts'
import { startProduct, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import {
  createToken,
  sendTransaction,
  startEthereumNode,
  testChainId,
  tokensOf,
  transferManyTokens,
  untilMined,
  type AskNode,
} from '#tests/setup/test-chain.ts'
import { wordsOf } from '#tests/setup/words.ts'

/*
 * Staff open a round whose tokens vest. An order in it is paid on a chain of this computer, and its first part arrives on
 * it: nobody tells the product of either.
 */

/** Copies this tree for a project whose token is an ERC-20, and builds its site. */
function buildWithEthereumToken(): string {
  const tree = copyOfTree()
  const file = join(tree, 'content/brand.json')
  const brand = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...brand, chain: { format: 'ethereum' } }))
  execFileSync(process.execPath, ['scripts/run.mjs', 'build'], { cwd: tree })
  return tree
}

type Chain = { url: string; ask: AskNode; treasury: string; buyer: string; contract: string }

async function startChain(): Promise<Chain> {
  const { url, ask, stop } = await startEthereumNode({ blockTime: 1 })
  onTestFinished(() => void stop())
  const [treasury = '', buyer = ''] = await ask<string[]>('eth_accounts')
  const { contractAddress } = await untilMined(ask, await createToken(ask, treasury, 18))
  return { url, ask, treasury, buyer, contract: contractAddress! }
}

async function start({ url, treasury, contract }: Chain): Promise<Product> {
  const databaseUrl = await copyTemplate()
  const seed = pbkdf2Sync('a newcomer', 'mnemonic', 1, 64, 'sha512')
  const product = await startProduct({
    release: buildWithEthereumToken(),
    settings: {
      DATABASE_URL: databaseUrl,
      DEMO: 'on',
      // The sample member has an approved identity.
      DEMO_WORLD: 'on',
      WITHDRAWAL_DAYS: '0',
      SALE_FOUR_EYES: 'off',
      CHAIN_ETH_URL: url,
      CHAIN_ETH_NETWORK: String(testChainId),
      CHAIN_ETH_CONFIRMATIONS: '3',
      CHAIN_ETH_XPUB: HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").publicExtendedKey,
      CHAIN_COMPLETE: 'exact',
      CHAIN_LOOK_SECONDS: '1',
      TOKEN_CHAIN: 'ETH',
      TOKEN_CONTRACT: contract,
      TOKEN_TREASURY: treasury,
    },
  })
  onTestFinished(async () => {
    expect(await product.stop()).toBe(0)
    await dropDatabase(databaseUrl)
    await removeTemporary(product.dataDir)
  })
  return product
}

type Words = ReturnType<typeof wordsOf>
type Visit = { page: Page; t: Words; language: Language }

async function signedIn(product: Product, language: Language, account: SampleAccount): Promise<Visit> {
  const { page } = await aVisitor(product.url)
  const t = wordsOf(language)
  await page.addInitScript(([key, code]) => localStorage.setItem(key, code), [storageKey, language] as const)
  await page.context().addCookies([{ name: 'language', value: language, url: product.url }])
  await page.goto('/login/signin')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(account.email)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(account.password)
  await page.getByRole('button', { name: t('login.signin.submit') }).click()
  await page.waitForURL((url) => !url.pathname.includes('signin'))
  return { page, t, language }
}

const roundName = { en: 'Newcomers', cn: '新人轮' }
const laterDays = 30

/** A time as a field for it has it, in the browser's time zone. */
const asTyped = ({ page }: Visit, at: Date): Promise<string> =>
  page.evaluate((time) => {
    const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000)
    return local.toISOString().slice(0, 16)
  }, at.getTime())

async function saveRound({ page, t }: Visit): Promise<void> {
  await page.getByRole('button', { name: t('consoleSale.review') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('consoleSale.save'), exact: true }).click()
  await page.getByText(t('consoleSale.saved')).waitFor()
}

/** Ends the current round, and opens one that delivers a half at completion and the other half later. */
async function openRound(visit: Visit): Promise<void> {
  const { page, t, language } = visit
  const now = await asTyped(visit, new Date())
  await page.goto('/console/sale/rounds')
  const current = page.getByRole('row', { name: t('consoleRounds.state.current') })
  await current.getByRole('link').first().click()
  await page.getByLabel(t('consoleSale.closesAt')).fill(now)
  await saveRound(visit)
  await page.goto('/console/sale/rounds')
  await page.getByRole('link', { name: t('consoleRounds.add') }).click()
  await page.getByLabel(t('consoleRounds.nameEn')).fill(roundName.en)
  await page.getByLabel(t('consoleRounds.nameCn')).fill(roundName.cn)
  await page.getByLabel(t('consoleSale.opensAt')).fill(now)
  await page.getByLabel(t('consoleSale.closesAt')).fill(await asTyped(visit, new Date(Date.now() + DAY)))
  await page.getByLabel(t('consoleRounds.vesting.kind')).selectOption('tranches')
  await page.getByLabel(t('consoleRounds.vesting.first')).fill('50')
  await page.getByLabel(t('consoleRounds.vesting.after')).fill(String(laterDays))
  await page.getByLabel(t('consoleRounds.vesting.unit')).selectOption('days')
  await page.getByLabel(t('consoleRounds.vesting.percent')).fill('50')
  await checkPage(page)
  await saveRound(visit)
  await page.goto('/console/sale/rounds')
  await page
    .getByRole('row', { name: roundName[language] })
    .getByText(t('consoleRounds.state.current'))
    .waitFor()
  await checkPage(page)
}

/** Orders for 0.1 ETH in the round, and returns the address to pay to. */
async function placeOrder({ page, t, language }: Visit, tokenAddress: string): Promise<string> {
  await page.goto('/account/account-details?order=new')
  await page.getByRole('main').getByText(roundName[language]).first().waitFor()
  await page.getByLabel(t('orders.place.payMethod')).selectOption('ETH')
  await page.getByLabel(t('orders.place.amount'), { exact: true }).fill('0.1')
  await page.getByLabel(t('orders.fabAddress')).fill(tokenAddress)
  await page.getByRole('button', { name: t('orders.place.quote') }).click()
  await page.getByRole('button', { name: t('orders.quote.submit') }).waitFor()
  await checkPage(page)
  await page.getByRole('button', { name: t('orders.quote.submit') }).click()
  await page.waitForURL('**/account/account-details?order=*')
  const address = page.getByRole('definition').locator('span', { hasText: /^0x[\da-fA-F]{40}$/ })
  return (await address.first().innerText()).trim()
}

/** Freezes what is due to a member into a run, and opens the run. */
async function freezeRun({ page, t }: Visit, email: string): Promise<void> {
  await page.goto(`/console/deliveries?state=due&q=${email}`)
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: t('consolePayouts.freeze'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('consolePayouts.freeze.text')).waitFor()
  await checkPage(page)
  await dialog.getByRole('button', { name: new RegExp(`^${t('consolePayouts.freeze.confirm')}`) }).click()
  await page.waitForURL(/\/console\/payouts\/[\w-]+$/)
  await page.getByText(t('consolePayouts.state.ready'), { exact: true }).waitFor()
  await checkPage(page)
}

type SafeFile = { transactions: { contractInputsValues: { to: string; value: string } }[] }

/** Exports the file for a Safe. Returns the transfers in it. */
async function exportRun({ page, t }: Visit): Promise<{ to: string; value: bigint }[]> {
  await page.getByRole('button', { name: t('consolePayouts.format.safe'), exact: true }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: t('consolePayouts.export.confirm') })
  const [file] = await Promise.all([page.waitForEvent('download'), confirm.click()])
  const { transactions } = JSON.parse(readFileSync(await file.path(), 'utf8')) as SafeFile
  return transactions.map(({ contractInputsValues: { to, value } }) => ({ to, value: BigInt(value) }))
}

/** Waits until a page shows a part. Pages of the console don't follow what happens on a chain. */
async function untilShown({ page }: Visit, shown: Locator): Promise<void> {
  for (let tries = 0; ; tries += 1)
    try {
      return await shown.waitFor({ timeout: 10_000 })
    } catch (error) {
      if (tries === 12) throw error
      await page.reload()
    }
}

describe.each(languagesUnderTest('en'))('in %s', (language) => {
  test(
    'staff open a round, a member pays on a chain, finance sends the first part on it, and the member sees it delivered',
    { tags: ['nightly'], timeout: 600_000 },
    async () => {
      const chain = await startChain()
      const { ask, contract, treasury, buyer } = chain
      const product = await start(chain)
      const account = await sampleAccount(product, 'member')
      const desk = await signedIn(product, language, await sampleAccount(product, 'admin'))
      await openRound(desk)
      const member = await signedIn(product, language, account)
      const { page, t } = member
      const tokenAddress = (await ask<string[]>('eth_accounts'))[2]!
      const payTo = await placeOrder(member, tokenAddress)
      await checkPage(page)
      await untilMined(
        ask,
        await sendTransaction(ask, { from: buyer, to: payTo, value: parseDecimal('0.1') }),
      )
      const delivery = page.getByRole('region', { name: t('deliveries.heading') })
      await untilShown(member, delivery.getByText(t('deliveries.sum.next')))
      await expect.poll(() => delivery.textContent()).toContain(t('deliveries.state.due'))
      await checkPage(page)

      await freezeRun(desk, account.email)
      const transfers = await exportRun(desk)
      expect(transfers.map(({ to }) => to.toLowerCase())).toEqual([tokenAddress.toLowerCase()])
      const txId = await transferManyTokens(ask, { from: treasury, contract, transfers })
      await untilMined(ask, txId)
      expect(await tokensOf(ask, contract, tokenAddress)).toBe(transfers[0]!.value)
      await untilShown(desk, desk.page.getByText(t('consolePayouts.state.done'), { exact: true }).first())
      await expect.poll(() => desk.page.getByRole('main').textContent()).toContain(txId)
      await checkPage(desk.page)

      const rows = delivery.getByRole('table').getByRole('row')
      const first = rows.filter({ hasText: t('deliveries.state.confirmed') })
      await untilShown(member, first)
      expect(await delivery.getByRole('table').getByRole('link').getAttribute('href')).toContain(txId)
      const later = rows.filter({ hasText: t('deliveries.state.scheduled') })
      expect(await later.count()).toBe(1)
      // Both are the same half of the order, and the later one has its date.
      const half = await first.getByRole('cell').first().innerText()
      expect(await later.getByRole('cell').first().innerText()).toBe(half)
      const dueAt = Date.parse((await later.locator('time').getAttribute('datetime')) ?? '')
      const completedAt = Date.parse((await first.locator('time').getAttribute('datetime')) ?? '')
      expect(dueAt - completedAt).toBe(laterDays * DAY)
      await checkPage(page)
    },
  )
})
