import { shownReference } from '#api/platform/text/order-reference.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOrder, aSignedInMember, goodPassword } from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { startWithDatabase, type Opened } from '#tests/setup/start-with-database.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')

let opened: Opened
beforeAll(async () => {
  opened = await startWithDatabase()
})
afterAll(() => opened.close())

async function anUnpaidOrder(): Promise<{ id: string; reference: string }> {
  const { id } = await aSignedInMember(opened.api)
  const given = { fabQty: '5', payMethod: 'SEPA', currency: 'EUR', amount: '1200.5' }
  const row = await anOrder(opened.api, id, given)
  return { id: row.id, reference: shownReference(row.reference) }
}

const paidAmountOf = async (id: string): Promise<string | null> =>
  (
    await opened.db
      .selectFrom('token_order')
      .select('paid_amount')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).paid_amount

async function signInAsFinance(): Promise<Page> {
  const { email } = await aSignedInMember(opened.api, { manage_finance: 2 })
  const { page } = await aVisitor(opened.product.url)
  await page.goto('/login/signin')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: t('login.signin.submit') }).click()
  await page.waitForURL('**/account/account-details')
  return page
}

/** The link on the console's home that counts open statement lines. Without such lines, there is none. */
const countOnHome = async (page: Page, count: number) => {
  await page.goto('/console')
  const link = page.getByRole('link', { name: `${count} ${t('consoleHome.waiting.statement_lines')}` })
  await link.waitFor()
  return link
}

test('finance imports a statement, works off what was not recorded, and nothing is left to do', async () => {
  const [good, other] = [await anUnpaidOrder(), await anUnpaidOrder()]
  const page = await signInAsFinance()
  await page.goto('/console/orders/import')
  await page.getByRole('heading', { level: 1, name: t('consoleOrders.import'), exact: true }).waitFor()

  const today = new Date().toISOString().slice(0, 10)
  const csv = [
    'reference,txId,amount,date,complete',
    `${good.reference},,1200.5,${today},no`,
    `Second order of Ada,,1200.5,${today},no`,
    `${other.reference},,twelve,${today},no`,
  ].join('\n')
  await page
    .getByLabel(t('consoleOrders.import.file'), { exact: true })
    .setInputFiles({ name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  const counts = (duplicates: number) =>
    t('consoleOrders.import.counts', { count: 1, open: 2, duplicates, ignored: 0 })
  await page.getByText(counts(0)).waitFor()
  expect(await paidAmountOf(good.id)).toBeNull()

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: t('consoleOrders.import.apply.open'), exact: true }).click()
  await dialog.getByRole('button', { name: t('consoleOrders.import.apply'), exact: true }).click()
  await page.getByText(t('consoleOrders.import.applied')).waitFor()
  expect(Number(await paidAmountOf(good.id))).toBe(1200.5)

  await (await countOnHome(page, 2)).click()
  const lines = page.getByRole('table', { name: t('consoleOrders.openLines') })
  await lines.waitFor()
  await checkPage(page)

  const unmatched = lines.getByRole('row', { name: /Second order of Ada/ })
  await unmatched.getByRole('button', { name: t('consoleOrders.openLines.assign') }).click()
  await dialog.getByLabel(t('consoleOrders.reference'), { exact: true }).fill(other.reference)
  await dialog
    .getByLabel(t('consoleOrders.openLines.reason'), { exact: true })
    .fill('Confirmed by the buyer.')
  await dialog.getByRole('button', { name: t('consoleOrders.openLines.assign.confirm') }).click()
  await unmatched.waitFor({ state: 'detached' })
  expect(Number(await paidAmountOf(other.id))).toBe(1200.5)
  await countOnHome(page, 1)

  await page.goBack()
  const bad = lines.getByRole('row', { name: /twelve/ })
  await bad.getByRole('button', { name: t('consoleOrders.openLines.dismiss') }).click()
  await dialog
    .getByLabel(t('consoleOrders.openLines.reason'), { exact: true })
    .fill('Typed twice by the bank.')
  await dialog.getByRole('button', { name: t('consoleOrders.openLines.dismiss.confirm') }).click()
  await page.getByRole('button', { name: t('console.undo'), exact: true }).waitFor()
  await page.getByText(t('consoleOrders.openLines.none')).waitFor()
  await page.goto('/console')
  const waiting = page.getByRole('region', { name: t('consoleHome.waiting') })
  await waiting
    .getByRole('listitem')
    .or(waiting.getByText(t('consoleHome.waiting.none')))
    .first()
    .waitFor()
  expect(await waiting.getByText(t('consoleHome.waiting.statement_lines')).count()).toBe(0)
})
