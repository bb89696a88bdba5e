import { shownReference } from '#api/platform/text/order-reference.ts'
import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberChange } from '#api/people/members/member.queries.ts'
import type { Language } from '#contract/platform/fields.ts'
import {
  acceptedConsents,
  anEmail,
  anOrder,
  aSale,
  aSignedInMember,
  goodPassword,
  saleSettings,
} from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { signInByCall } from '#tests/setup/sign-in.ts'
import { waysUnderTest } from '#tests/setup/sizes.ts'
import { startWithDatabase, type Opened } from '#tests/setup/start-with-database.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { ownAddress } from '#tests/own-chain.ts'

let opened: Opened
beforeAll(async () => {
  opened = await startWithDatabase()
})
afterAll(() => opened.close())

type Way = ReturnType<typeof waysUnderTest>[number]

/** A staff member on the console's home page. */
async function anOperator({ language, screen }: Way, rights: MemberChange) {
  const { email } = await aSignedInMember(opened.api, rights)
  const { page } = await aVisitor(opened.product.url, screen)
  await signInByCall(page, opened.product, language, email)
  await page.goto('/console')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, email }
}

/** By keyboard, as an experienced user does. */
async function goTo(page: Page, language: Language, words: string, found: RegExp): Promise<void> {
  const t = wordsOf(language)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: t('console.palette.label') }).fill(words)
  await page.getByRole('option', { name: found }).first().waitFor()
  await page.keyboard.press('Enter')
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test.each(waysUnderTest('en'))(
  'a member is found and gets the activation again; level 1 reads alone ($language, $size)',
  { tags: ['nightly'] },
  async (way) => {
    const t = wordsOf(way.language)
    const waiting = anEmail()
    await opened.product.post('members/create', {
      email: waiting,
      password: goodPassword,
      consents: acceptedConsents,
    })

    const { page } = await anOperator(way, { manage_employee: 2 })
    await checkPage(page)
    await goTo(page, way.language, waiting, new RegExp(waiting))
    await heading(page, waiting).waitFor()
    await checkPage(page)
    await page.getByRole('button', { name: t('consoleMembers.activation'), exact: true }).click()
    await page.getByText(t('consoleMembers.activation.done')).first().waitFor()
    expect((await opened.product.mailsTo(waiting)).map(({ kind }) => kind)).toEqual([
      'activation',
      'activation',
    ])

    await page.getByRole('link', { name: t('consoleMembers.back') }).click()
    await page.getByRole('link', { name: waiting }).waitFor()
    await checkPage(page)
    await page.getByRole('searchbox').fill('nobody has this name')
    await page.getByText(t('console.list.nothing')).waitFor()
    await checkPage(page)
    await page
      .getByRole('button', { name: t('console.list.clear') })
      .first()
      .click()
    await page.getByRole('link', { name: waiting }).waitFor()

    const { page: reader } = await anOperator(way, { manage_employee: 1 })
    await goTo(reader, way.language, waiting, new RegExp(waiting))
    await reader.getByText(t('consoleMembers.readOnly')).waitFor()
    expect(await reader.getByRole('button', { name: t('consoleMembers.activation') }).count()).toBe(0)
    await reader.goto('/console/orders')
    await reader.getByText(t('console.forbidden')).first().waitFor()
    await checkPage(reader)
  },
)

test.each(waysUnderTest('cn'))(
  'a paid order is found from home and completed; level 1 reads alone ($language, $size)',
  async (way) => {
    const t = wordsOf(way.language)
    const buyer = await aSignedInMember(opened.api)
    const { id, reference: stored } = await anOrder(opened.api, buyer.id, {
      email: buyer.email,
      fabAddress: ownAddress,
      fabQty: '6000.75',
      rate: '4000.5',
      payChain: 'ethereum',
      receivingAddress: saleSettings().payMethods[1]!.receivingAddress,
      txId: `0x${randomBytes(32).toString('hex')}`,
    })

    const reference = shownReference(stored)

    const { page } = await anOperator(way, { manage_finance: 2 })
    await page.getByRole('link', { name: t('consoleHome.waiting.orders_reported') }).click()
    await heading(page, t('consoleOrders.heading')).waitFor()
    await page.getByRole('link', { name: reference }).waitFor()
    await checkPage(page)
    await page.getByRole('link', { name: reference }).click()
    await heading(page, t('consoleOrders.one', { reference })).waitFor()
    await checkPage(page)
    const completing = t('consoleOrders.complete').replace('…', '')
    await goTo(page, way.language, `${completing} ${reference}`, new RegExp(`${completing}.*${reference}`))
    const dialog = page.getByRole('dialog', { name: t('consoleOrders.complete.title', { reference }) })
    await checkPage(page)
    await dialog.getByLabel(t('consoleOrders.record.amount')).fill('1.5')
    await dialog.getByLabel(t('consoleOrders.reason.member')).fill('Seen in the block explorer')
    await dialog.getByRole('button', { name: t('consoleOrders.complete.confirm') }).click()
    await page.getByText(t('consoleOrders.complete.done')).first().waitFor()
    const { status } = await opened.db
      .selectFrom('token_order')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(status).toBe('completed')
    expect((await opened.product.mailsTo(buyer.email)).map(({ kind }) => kind)).toContain('order-completed')

    const menu = page.getByRole('button', { name: t('layout.menu') })
    if (await menu.isVisible()) await menu.click()
    const pages = page.getByRole('button', {
      name: t('console.nav.pages', { area: t('console.nav.orders') }),
    })
    expect(await pages.getAttribute('aria-expanded')).toBe('true')
    await checkPage(page)
    await page
      .getByRole('navigation')
      .getByRole('link', { name: t('console.nav.totals') })
      .click()
    await page.getByRole('table').first().waitFor()
    await checkPage(page)

    const { page: reader } = await anOperator(way, { manage_finance: 1 })
    await goTo(reader, way.language, reference, new RegExp(reference))
    await reader.getByText(t('consoleOrders.readOnly')).waitFor()
    expect(await reader.getByRole('group', { name: t('consoleOrders.actions') }).count()).toBe(0)
  },
)

test.each(waysUnderTest('en'))(
  'a receiving address and a rate are changed, and the record says by whom ($language, $size)',
  async (way) => {
    const t = wordsOf(way.language)
    await aSale(opened.api)
    const { page, email } = await anOperator(way, { manage_coins: 2 })
    await goTo(page, way.language, t('console.command.sale'), new RegExp(t('console.command.sale')))
    const isOpen = page.getByRole('checkbox', { name: t('consoleSale.isOpen.label') })
    await expect.poll(() => isOpen.evaluate((box) => box === document.activeElement)).toBe(true)
    const bitcoin = page.getByRole('group', { name: 'BTC' })
    await bitcoin.getByLabel(t('consoleSale.method.rate')).fill('130000')
    const address = bitcoin.getByLabel(t('consoleSale.method.receivingAddress'))
    // One character was mistyped.
    await address.fill('1BitcoinEaterAddressDontSendf59kuF')
    await page.getByRole('button', { name: t('consoleSale.review') }).click()
    await page.getByText(t('field.address_checksum')).first().waitFor()
    await checkPage(page)
    await address.fill('1BitcoinEaterAddressDontSendf59kuE')
    await page.getByRole('button', { name: t('consoleSale.review') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('130000').first().waitFor()
    await checkPage(page)
    await dialog.getByRole('button', { name: t('consoleSale.save'), exact: true }).click()
    await page.getByText(t('consoleSale.saved')).first().waitFor()
    await page.getByText(t('console.addresses.heading')).waitFor()
    await page.goto('/console/sale/history')
    await page.getByText('130000').first().waitFor()
    await checkPage(page)

    const { page: reader } = await anOperator(way, { manage_coins: 1 })
    await reader.goto('/console/sale')
    await reader.getByText(t('consoleSale.readOnly')).waitFor()
    expect(await reader.getByRole('button', { name: t('consoleSale.review') }).count()).toBe(0)

    const { page: auditor } = await anOperator(way, { is_write_access_admin: true })
    const today = new Date().toISOString().slice(0, 10)
    await auditor.goto(`/console/record?action=sale-updated&from=${today}&to=${today}`)
    const row = auditor.getByRole('row').filter({ hasText: email })
    await row.first().waitFor()
    expect(await row.first().innerText()).toContain(t('record.action.sale-updated', { actor: email }))
    await checkPage(auditor)
    await auditor.getByRole('button', { name: t('console.list.filters.set', { count: 3 }) }).click()
    await auditor.getByRole('combobox', { name: t('record.filter.action'), exact: true }).click()
    await auditor.getByRole('listbox').waitFor()
    await checkPage(auditor)
    await auditor.goto('/console/health')
    for (const name of [t('health.fine'), t('health.jobs'), t('health.instances')])
      await auditor.getByRole('heading', { name, exact: true }).click()
    await auditor.getByRole('table').first().waitFor()
    await checkPage(auditor)
  },
)
