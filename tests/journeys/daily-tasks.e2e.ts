import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shownReference } from '#api/platform/text/order-reference.ts'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import {
  anApplicant,
  anEmail,
  anOrder,
  aPicture,
  aSale,
  aSignedInMember,
  goodPassword,
  saleSettings,
} from '#tests/builders.ts'
import { aConversation } from '#tests/conversations.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { choose, rowOf } from '#tests/setup/newsroom-screens.ts'
import { signInByCall } from '#tests/setup/sign-in.ts'
import { startWithDatabase, type Opened } from '#tests/setup/start-with-database.ts'
import { wordsOf } from '#tests/setup/words.ts'

let opened: Opened
beforeAll(async () => {
  opened = await startWithDatabase()
  await aSale(opened.api)
})
afterAll(() => opened.close())

type Task = { page: Page; t: ReturnType<typeof wordsOf>; language: Language }
const allRights = {
  manage_news: 2,
  manage_finance: 2,
  manage_coins: 2,
  manage_employee: 2,
  is_write_access_admin: true,
} as const

/** The time limit for each task. Each begins on the console's home page. */
const timeMax = 30 * SECOND

/** Runs a task in both languages, because the limit applies to both. Canceling five orders is in `bulk-actions.e2e.ts`. */
const timed = (title: string, work: (language: Language) => Promise<void>) =>
  test.each(languages)(`${title} (%s)`, { tags: ['nightly'] }, work)

/** Does a task as a new member of the staff, within the time. */
async function inTime(language: Language, work: (task: Task) => Promise<void>): Promise<void> {
  const { email } = await aSignedInMember(opened.api, allRights)
  const { page } = await aVisitor(opened.product.url, { viewport: { width: 1280, height: 800 } })
  await signInByCall(page, opened.product, language, email)
  await page.goto('/console')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const start = performance.now()
  await work({ page, t: wordsOf(language), language })
  expect(performance.now() - start).toBeLessThan(timeMax)
}

async function search({ page, t }: Task, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: t('console.palette.label') }).fill(words)
}

timed('find a member by wallet', async (language) => {
  const wallet = `0x${randomBytes(20).toString('hex')}`
  const { id, email } = await aSignedInMember(opened.api)
  await opened.db
    .insertInto('kyc_application')
    .values({ member_id: id, full_name: 'Sample Holder', country: 'Iceland', email, eth_address: wallet })
    .execute()
  await inTime(language, async (task) => {
    const { page } = task
    await search(task, wallet)
    await page.getByRole('option', { name: new RegExp(`^${email}`) }).click()
    await page.getByRole('heading', { level: 1, name: email }).waitFor()
  })
})

timed('complete a reported order', async (language) => {
  const buyer = await aSignedInMember(opened.api)
  const { id, reference } = await anOrder(opened.api, buyer.id, {
    email: buyer.email,
    payChain: 'ethereum',
    fabAddress: saleSettings().payMethods[1]!.receivingAddress,
    receivingAddress: saleSettings().payMethods[1]!.receivingAddress,
    txId: `0x${randomBytes(32).toString('hex')}`,
  })
  await inTime(language, async ({ page, t }) => {
    await page.getByRole('link', { name: t('consoleHome.waiting.orders_reported') }).click()
    await page.getByRole('link', { name: shownReference(reference) }).click()
    await page
      .getByRole('button', { name: t('consoleOrders.complete') })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t('consoleOrders.record.amount')).fill('1.5')
    await dialog.getByLabel(t('consoleOrders.reason.member')).fill('Seen in the block explorer')
    await dialog.getByRole('button', { name: t('consoleOrders.complete.confirm') }).click()
    await page.getByText(t('consoleOrders.complete.done')).first().waitFor()
  })
  const { status } = await opened.db
    .selectFrom('token_order')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(status).toBe('completed')
})

timed('answer a member about an order', async (language) => {
  const member = await aSignedInMember(opened.api)
  await aConversation(opened.api, member, 'order')
  await inTime(language, async ({ page, t }) => {
    await page.getByRole('link', { name: t('consoleHome.waiting.conversations_open') }).click()
    await page.getByRole('link', { name: member.email }).click()
    await page
      .getByLabel(t('consoleConversations.answer'), { exact: true })
      .fill('Tomorrow, when your payment is confirmed.')
    await page.getByRole('button', { name: t('conversations.send') }).click()
    await page.getByText(t('consoleConversations.answered')).first().waitFor()
  })
  const mails = await opened.product.mailsTo(member.email)
  expect(mails.map(({ kind }) => kind)).toContain('message-received')
})

async function aCase(name: string): Promise<string> {
  const { email } = await aSignedInMember(opened.api)
  const login = await opened.product.post('members/login', { email, password: goodPassword })
  const { token } = (await login.json()) as { token: string }
  const body = { ...anApplicant(email), firstName: name, photoUrls: [await aPicture()] }
  const answer = await opened.product.post('kyc/create', body, { 'x-access-token': token })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { _id: string })._id
}

timed('take and approve an identity case', async (language) => {
  // A second try must not meet the case of the first.
  const name = `Sample ${randomBytes(4).toString('hex')}`
  const id = await aCase(name)
  await inTime(language, async ({ page, t }) => {
    await page.getByRole('link', { name: t('consoleHome.waiting.identity_unassigned') }).click()
    await page.getByRole('link', { name }).click()
    await page.getByRole('button', { name: t('review.take') }).click()
    await page.locator('[role=group] > img').waitFor()
    await page.getByRole('button', { name: t('review.photo.accept') }).click()
    await page.getByRole('button', { name: t('review.screening.read'), exact: true }).click()
    await page.getByRole('radio', { name: new RegExp(`^${t('review.approve')}`) }).check()
    await page.getByRole('button', { name: t('review.approve.do') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: t('review.confirm.approve.do', { name }) }).click()
    await page.getByText(t('review.done.approved')).waitFor()
  })
  const { status } = await opened.db
    .selectFrom('kyc_application')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(status).toBe('approved')
})

timed('invite a colleague', async (language) => {
  const email = anEmail()
  await inTime(language, async (task) => {
    const { page, t } = task
    await search(task, t('console.command.invite'))
    await page.getByRole('option', { name: t('console.command.invite') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
    await dialog
      .getByLabel(t('consoleMembers.invite.role'))
      .selectOption({ label: t('consoleMembers.invite.role.editor') })
    await dialog.getByRole('button', { name: t('consoleMembers.invite.send') }).click()
    await page.getByRole('row', { name: email }).waitFor()
  })
  const mails = await opened.product.mailsTo(email)
  expect(mails.map(({ kind }) => kind)).toEqual(['staff-invitation'])
})

timed('find who changed a price', async (language) => {
  const who = await aSignedInMember(opened.api, { manage_coins: 2 })
  const login = await opened.product.post('members/login', { email: who.email, password: goodPassword })
  const { token } = (await login.json()) as { token: string }
  const sale = await fetch(`${opened.product.url}/v2/admin/sale`, {
    headers: { 'x-app-id': defaultAppId, 'x-access-token': token },
  })
  const { lastUpdated } = (await sale.json()) as { lastUpdated: string }
  const [, ether] = saleSettings().payMethods
  const changed = saleSettings({ payMethods: [{ ...ether!, rate: language === 'en' ? '4100' : '4200' }] })
  const answer = await opened.product.post(
    'admin/sale',
    { ...changed, lastUpdated },
    { 'x-access-token': token },
  )
  expect(answer.status).toBe(200)
  await inTime(language, async (task) => {
    const { page, t } = task
    await search(task, t('console.nav.record'))
    await page
      .getByRole('option', { name: t('console.nav.record') })
      .first()
      .click()
    await page.getByRole('button', { name: t('console.list.filters') }).click()
    await page.getByLabel(t('record.filter.kind')).selectOption({ label: t('record.kind.sale') })
    await page.getByRole('row').filter({ hasText: who.email }).first().waitFor()
  })
})

/** Fills in the form of a post and schedules it for tomorrow. */
async function schedulePost({ page, t }: Task, title: string): Promise<void> {
  await page.getByLabel(t('news.form.title')).fill(title)
  await page.getByRole('textbox', { name: t('news.form.content') }).fill('The network opens on Monday.')
  // The button moves when the line that lists what is missing disappears.
  await expect.poll(() => page.getByRole('button', { name: t('newsroom.form.draft') }).isEnabled()).toBe(true)
  await page.getByRole('button', { name: t('newsroom.form.schedule') }).click()
  const tomorrow = new Date(Date.now() + DAY).toISOString().slice(0, 16)
  await page.getByLabel(t('newsroom.schedule.time')).fill(tomorrow)
  await page.getByRole('button', { name: t('newsroom.schedule.submit'), exact: true }).click()
  await page.getByRole('link', { name: title, exact: true }).waitFor()
}

timed('schedule a bilingual post', async (language) => {
  const [title, translation] = [`Tomorrow ${language}`, `Also tomorrow ${language}`]
  await inTime(language, async (task) => {
    const { page, t } = task
    await search(task, t('console.command.post'))
    await page
      .getByRole('option', { name: t('console.command.post') })
      .first()
      .click()
    await page.getByLabel(t('news.form.category'), { exact: true }).selectOption('News')
    await schedulePost(task, title)
    await choose(page, rowOf(page, title), t('newsroom.action.translate'))
    await page.getByRole('heading', { name: t('newsroom.translate.original') }).waitFor()
    await schedulePost(task, translation)
  })
  const posts = await opened.db
    .selectFrom('announcement')
    .select(['language', 'publish_at'])
    .where('title', 'in', [title, translation])
    .orderBy('language')
    .execute()
  expect(posts.map(({ language }) => language)).toEqual(['en', 'cn'])
  expect(posts.every(({ publish_at }) => publish_at !== null && publish_at > new Date())).toBe(true)
})
