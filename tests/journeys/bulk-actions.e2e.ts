import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SECOND } from '#contract/platform/durations.ts'
import { shownReference } from '#api/platform/text/order-reference.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { languages } from '#contract/platform/languages.ts'
import { signInByCall } from '#tests/setup/sign-in.ts'
import { startWithDatabase, type Opened } from '#tests/setup/start-with-database.ts'
import { wordsOf } from '#tests/setup/words.ts'

let opened: Opened
beforeAll(async () => {
  opened = await startWithDatabase()
})
afterAll(() => opened.close())

async function someOrders(
  count: number,
): Promise<{ buyer: TestMember; ids: string[]; references: string[] }> {
  const buyer = await aSignedInMember(opened.api)
  const ids: string[] = []
  const references: string[] = []
  for (let at = 0; at < count; at += 1) {
    const { id, reference } = await anOrder(opened.api, buyer.id, { receivingAddress: 'somewhere' })
    ids.push(id)
    references.push(shownReference(reference))
  }
  return { buyer, ids, references }
}

const statusesOf = async (ids: readonly string[]): Promise<string[]> =>
  (await opened.db.selectFrom('token_order').select('status').where('id', 'in', ids).execute()).map(
    ({ status }) => status,
  )

const select = async (page: Page, t: ReturnType<typeof wordsOf>, references: readonly string[]) => {
  for (const name of references)
    await page.getByRole('checkbox', { name: t('console.list.select', { name }) }).check()
}

// In both languages in every run, because the time that it takes is part of what is promised.
test.each(languages)(
  'an officer cancels five unpaid orders in less than 30 seconds (%s)',
  async (language) => {
    const t = wordsOf(language)
    const { buyer, ids, references } = await someOrders(5)
    const officer = await aSignedInMember(opened.api, { manage_finance: 2 })
    const { page } = await aVisitor(opened.product.url, { viewport: { width: 1280, height: 800 } })
    await signInByCall(page, opened.product, language, officer.email)
    await page.goto(`/console/orders?q=${buyer.email}`)
    const start = performance.now()
    await select(page, t, references)
    const cancel = page.getByRole('button', { name: t('consoleOrders.bulk.cancel') })
    await cancel.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t('console.list.bulk.will', { count: 5 })).waitFor()
    await dialog.getByRole('textbox').fill('The sale has ended.')
    const confirm = dialog.getByRole('button', { name: t('consoleOrders.bulk.cancel.confirm') })
    await confirm.click()
    const undo = page.getByRole('button', { name: t('console.undo'), exact: true })
    await undo.waitFor()
    await undo.waitFor({ state: 'detached', timeout: 20 * SECOND })
    await expect.poll(() => statusesOf(ids)).toEqual(ids.map(() => 'cancelled'))
    const took = performance.now() - start
    expect(took).toBeLessThan(30 * SECOND)
    const mails = await opened.db
      .selectFrom('mail')
      .select('kind')
      .where('to_address', '=', buyer.email)
      .execute()
    expect(mails.filter(({ kind }) => kind === 'order-cancelled')).toHaveLength(5)
  },
)

test('an undone cancellation changes nothing, keeps the reason, and is sent if the tab is closed', async () => {
  const t = wordsOf('en')
  const { buyer, ids, references } = await someOrders(2)
  const officer = await aSignedInMember(opened.api, { manage_finance: 2 })
  const { page } = await aVisitor(opened.product.url, { viewport: { width: 390, height: 844 } })
  await signInByCall(page, opened.product, 'en', officer.email)
  await page.goto(`/console/orders?q=${buyer.email}`)
  await select(page, t, references)
  await expectAccessible(page)
  await expectToFit(page)
  await page.getByRole('button', { name: t('consoleOrders.bulk.cancel') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('console.list.bulk.will', { count: 2 })).waitFor()
  await expectAccessible(page)
  await expectToFit(page)
  await dialog.getByRole('textbox').fill('The sale has ended.')
  const confirm = dialog.getByRole('button', { name: t('consoleOrders.bulk.cancel.confirm') })
  await confirm.click()
  await page.getByRole('button', { name: t('console.undo'), exact: true }).click()
  expect(await dialog.getByRole('textbox').inputValue()).toBe('The sale has ended.')
  expect(await statusesOf(ids)).toEqual(['pending', 'pending'])
  await confirm.click()
  await page.getByRole('button', { name: t('console.undo'), exact: true }).waitFor()
  await page.close({ runBeforeUnload: false })
  await expect.poll(() => statusesOf(ids)).toEqual(['cancelled', 'cancelled'])
})
