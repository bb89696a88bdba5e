import { pbkdf2Sync } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HDKey } from '@scure/bip32'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
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

/* An order is paid on a chain of this computer, and its tokens arrive on it: nobody tells the product of either. */

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
type Visit = { page: Page; t: Words }

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
  return { page, t }
}

/** Orders for 0.1 ETH, and returns the address to pay to. */
async function placeOrder({ page, t }: Visit, tokenAddress: string): Promise<string> {
  await page.goto('/account/account-details?order=new')
  await page.getByLabel(t('orders.place.payMethod')).selectOption('ETH')
  await page.getByLabel(t('orders.place.amount'), { exact: true }).fill('0.1')
  await page.getByLabel(t('orders.fabAddress')).fill(tokenAddress)
  await page.getByRole('button', { name: t('orders.place.quote') }).click()
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

/** Waits until a page shows a text. Pages of the console don't follow what happens on a chain. */
async function untilShown({ page }: Visit, text: string): Promise<void> {
  const shown = page.getByRole('main').getByText(text).first()
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
    'a member pays on a chain, finance sends the tokens on it, and the member sees them delivered',
    { tags: ['nightly'], timeout: 600_000 },
    async () => {
      const chain = await startChain()
      const { ask, contract, treasury, buyer } = chain
      const product = await start(chain)
      const account = await sampleAccount(product, 'member')
      const member = await signedIn(product, language, account)
      const { page, t } = member
      const tokenAddress = (await ask<string[]>('eth_accounts'))[2]!
      const payTo = await placeOrder(member, tokenAddress)
      await checkPage(page)
      await untilMined(
        ask,
        await sendTransaction(ask, { from: buyer, to: payTo, value: parseDecimal('0.1') }),
      )
      await untilShown(member, t('deliveries.step.completed'))
      const delivery = page.getByRole('region', { name: t('deliveries.heading') })
      await expect.poll(() => delivery.textContent()).toContain(t('deliveries.state.due'))
      await checkPage(page)

      const desk = await signedIn(product, language, await sampleAccount(product, 'admin'))
      await freezeRun(desk, account.email)
      const transfers = await exportRun(desk)
      expect(transfers.map(({ to }) => to.toLowerCase())).toEqual([tokenAddress.toLowerCase()])
      const txId = await transferManyTokens(ask, { from: treasury, contract, transfers })
      await untilMined(ask, txId)
      expect(await tokensOf(ask, contract, tokenAddress)).toBe(transfers[0]!.value)
      await untilShown(desk, t('consolePayouts.state.done'))
      await expect.poll(() => desk.page.getByRole('main').textContent()).toContain(txId)
      await checkPage(desk.page)

      await untilShown(member, txId)
      // The status, and the last of the steps.
      expect(await delivery.getByText(t('deliveries.state.confirmed'), { exact: true }).count()).toBe(2)
      await checkPage(page)
    },
  )
})
