import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { transaction } from '#api/platform/db/database.ts'
import { insertMail } from '#api/platform/mail/mail.queries.ts'
import { sealMail } from '#api/platform/mail/encrypted-email.ts'
import { sendMail } from '#api/platform/mail/send-mail.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aVisitor, openBrowser } from '#tests/setup/browser.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { startMailServer, type MailServer } from '#tests/setup/mail-server.ts'
import { signInByCall } from '#tests/setup/sign-in.ts'
import { waysUnderTest } from '#tests/setup/sizes.ts'
import { startWithDatabase, type Opened } from '#tests/setup/start-with-database.ts'
import { wordsOf } from '#tests/setup/words.ts'

let server: MailServer
let opened: Opened
let operator: TestMember
let reader: TestMember

beforeAll(async () => {
  server = await startMailServer()
  opened = await startWithDatabase({ SMTP_URL: server.url })
  operator = await aSignedInMember(opened.api, { manage_employee: 2 })
  reader = await aSignedInMember(opened.api)
})
afterAll(async () => {
  await opened.close()
  await server.close()
})

test.each(waysUnderTest('en'))(
  'an operator finds why a mail failed and sends it again ($language, $size)',
  { tags: ['nightly'] },
  async ({ language, screen }) => {
    const t = wordsOf(language)
    server.refuseWith = () => 550
    const { db, keys, product } = opened
    await transaction(db, async (db) => {
      await sendMail(db, keys, { email: reader.email, language: 'en' }, 'rights-changed', {
        link: 'https://coin.example/login',
        resetLink: 'https://coin.example/reset',
      })
      // As if delivery had been attempted for two days.
      await db.updateTable('mail').set({ attempts: 11 }).where('to_address', '=', reader.email).execute()
    })
    const { page } = await aVisitor(product.url, screen)
    await signInByCall(page, product, language, operator.email)
    await page.goto(`/console/mails?state=failed`)
    await expect
      .poll(async () => {
        await page.reload()
        await page
          .getByRole('table')
          .or(page.getByText(t('console.list.nothing')))
          .waitFor()
        return page.getByRole('link', { name: reader.email }).count()
      })
      .toBe(1)
    await expectAccessible(page)
    await expectToFit(page)
    await page.getByRole('link', { name: reader.email }).click()
    await page.getByText(t('consoleMails.trouble.mailbox_unknown.help')).waitFor()
    await expectAccessible(page)
    await expectToFit(page)
    server.refuseWith = () => undefined
    await page.getByRole('button', { name: t('consoleMails.again') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: t('consoleMails.again.label') }).click()
    await page.getByText(t('consoleMails.state.sent'), { exact: true }).waitFor()
    expect(server.received.map(({ recipients }) => recipients)).toEqual([[reader.email]])
    server.received.length = 0

    await page.goto('/console/mails/templates?kind=activation')
    await expect.poll(() => page.locator('iframe').count()).toBe(2)
    await expectAccessible(page)
    await expectToFit(page)
  },
)

const hostile = `
  <p id="shown" class="brand">A mail with a hostile value</p>
  <script>top.document.title = 'taken'; fetch('https://evil.example/script')</script>
  <img src="https://evil.example/picture.png" onerror="top.document.title = 'taken'">
  <svg onload="top.document.title = 'taken'"></svg>
  <link rel="stylesheet" href="https://evil.example/style.css">
  <style>@import url('https://evil.example/import.css'); body { background: url('https://evil.example/back.png') }</style>
  <meta http-equiv="refresh" content="0;url=https://evil.example/refresh">
  <iframe src="https://evil.example/frame"></iframe>
  <object data="https://evil.example/object"></object>
  <form action="https://evil.example/form" method="post"><button id="send">Send</button></form>
  <a id="away" href="https://evil.example/away" target="_top">Away</a>`

test('whatever the text of a mail holds, nothing of it runs, loads or leads away', async () => {
  const { db, keys, product } = opened
  const id = randomUUID()
  const message = { subject: 'x', text: 'x', html: 'x' }
  await insertMail(db, {
    id,
    toAddress: reader.email,
    kind: 'rights-changed',
    language: 'en',
    sealedMessage: sealMail(keys, id, { ...message, shown: { ...message, html: hostile } }),
  })
  await db
    .updateTable('mail')
    .set({ state: 'stopped', next_try_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  // A separate context, because the browser reports the requests that it blocks.
  const context = await (await openBrowser()).newContext({ baseURL: product.url })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const asked: Request[] = []
  page.on('request', (request) => asked.push(request))
  await signInByCall(page, product, 'en', operator.email)
  await page.goto(`/console/mails/${id}`)
  const frame = page.frameLocator('iframe')
  await frame.locator('#shown').waitFor()
  await frame.locator('#send').click()
  await frame.locator('#away').click()
  await page.waitForTimeout(500)
  // Browsers sometimes report requests that the preload scanner found and the policy blocked before they were sent.
  const sent = asked
    .filter((request) => request.failure()?.errorText !== 'csp')
    .map((request) => request.url())
  expect(sent.filter((url) => url.includes('evil.example'))).toEqual([])
  expect(new URL(page.url()).pathname).toBe(`/console/mails/${id}`)
  expect(await page.title()).not.toBe('taken')
  await frame.locator('#shown').waitFor()
  // It loads only the style sheet of the console.
  expect(await frame.locator('#shown').evaluate((node) => getComputedStyle(node).fontSize)).toBe('24px')
})
