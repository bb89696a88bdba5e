import siteLanguages from '#content/languages.json' with { type: 'json' }
import { chown } from 'node:fs/promises'
import { accessSync, constants, readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Language } from '#contract/platform/fields.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { signUpAndIn } from '#tests/setup/sign-in.ts'
import { startProduct, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { dropDatabase } from '#tests/setup/database-copy.ts'
import { withDatabase } from '#tests/setup/database-server.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

/** Starts the product; stops it and deletes its data when the test ends. */
async function aProduct(
  options: { databaseUrl?: string; account?: { uid: number; gid: number } } = {},
): Promise<Product> {
  const dataDir = await makeTemporary('journey')
  if (options.account) await chown(dataDir, options.account.uid, options.account.gid)
  const settings = options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}
  const product = await startProduct({ dataDir, settings, ...options.account })
  onTestFinished(async () => {
    expect(await product.stop()).toBe(0)
    await removeTemporary(dataDir)
  })
  return product
}

const chooseLanguage = async (page: Page, language: Language) => {
  await page.goto('/')
  if (language === 'en') return
  await page.locator('header summary', { hasText: wordsOf('en')('layout.language.menu') }).click()
  await page.getByRole('banner').getByRole('link', { name: siteLanguages.cn.name }).click()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-Hans')
}

/** From the first page to signing out, like a person. */
async function joinAndLeave(product: Product, language: Language): Promise<void> {
  const t = wordsOf(language)
  const { page } = await aVisitor(product.url)
  await chooseLanguage(page, language)

  await page
    .getByRole('link', { name: t('layout.nav.signUp') })
    .first()
    .click()
  await page.waitForURL('**/login/signup')
  const email = await signUpAndIn(page, product, language)
  expect(new URL(page.url()).pathname).toBe('/account/account-details')

  await page.reload()
  await page
    .getByRole('group', { name: t('layout.account.label') })
    .locator('summary')
    .click()
  await page
    .getByRole('link', { name: t('layout.account.userInfo') })
    .first()
    .click()
  await page.waitForURL('**/account/user-info')
  await expect.poll(() => page.getByRole('main').textContent()).toContain(email)
  expect(await page.locator('html').getAttribute('lang')).toBe(language === 'cn' ? 'zh-Hans' : 'en')

  await page
    .getByRole('group', { name: t('layout.account.label') })
    .locator('summary')
    .click()
  await page.getByRole('button', { name: t('layout.account.signOut') }).click()
  await page.waitForURL(`${product.url}/`)
  await page.goto('/account/user-info')
  await page.waitForURL('**/login/signin')
}

test('a visitor joins, comes back and leaves', async () => {
  const product = await aProduct()
  for (const language of languagesUnderTest('en')) await joinAndLeave(product, language)
})

test('the same on a PostgreSQL given by DATABASE_URL', { tags: ['nightly'] }, async () => {
  const { url } = inject('databaseServer')
  const name = `journey_${Date.now()}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  onTestFinished(async () => {
    await dropDatabase(withDatabase(url, name))
  })
  const product = await aProduct({ databaseUrl: withDatabase(url, name) })
  for (const language of languagesUnderTest('cn')) await joinAndLeave(product, language)
})

describe('as an ordinary user', () => {
  const account = ordinaryAccount()
  // If the tests run as an ordinary user, the test above covers this. Root needs an account that can read the project.
  test.skipIf(!account)('the same', { tags: ['nightly'] }, async () => {
    const product = await aProduct({ account: account! })
    await joinAndLeave(product, 'en')
  })
})

function ordinaryAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const fields = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('nobody:'))
    ?.split(':')
  if (!fields) return undefined
  const account = { uid: Number(fields[2]), gid: Number(fields[3]) }
  accessSync('server.ts', constants.R_OK)
  const { status } = spawnSync(
    process.execPath,
    ['-e', 'require("node:fs").readFileSync("server.ts")'],
    account,
  )
  return status === 0 ? account : undefined
}
