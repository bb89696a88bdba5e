import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import manuals from '#content/facts/manuals.json' with { type: 'json' }
import roadmap from '#content/facts/roadmap.json' with { type: 'json' }
import { addressOf } from '#contract/platform/address.ts'
import { api } from '#contract/api.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { aPdf, asPdfUrl } from '#tests/a-pdf.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { isFull } from '#tests/setup/languages-under-test.ts'
import { signIn, signInByCall } from '#tests/setup/sign-in.ts'
import { waysUnderTest } from '#tests/setup/sizes.ts'
import type { Product } from '#tests/setup/start-product.ts'
import { startWithDatabase, type Opened } from '#tests/setup/start-with-database.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { messageKeys, wordsOf } from '#tests/setup/words.ts'
import type { TestApi } from '../setup/start-api.ts'

const root = join(import.meta.dirname, '../..')
const { fileTitle: manual } = manuals.find(({ hasChinese }) => hasChinese)!

let opened: Opened
let another: Product
beforeAll(async () => {
  opened = await startWithDatabase({ CONTENT_TWO_PERSONS: 'legal' })
  another = await opened.startAnother()
})
afterAll(async () => {
  expect(await another.stop()).toBe(0)
  await opened.close()
})

/** Accessible, without raw message keys, and no wider than a narrow phone. */
async function check(page: Page): Promise<void> {
  const main = page.getByRole('main')
  // Message keys are shown next to texts that are edited or compared.
  const text = page.url().includes('/console/content') ? [] : (await main.innerText()).split(/\s+/)
  expect(text.filter((word) => messageKeys.has(word) || /^\{\w+\}$/.test(word))).toEqual([])
  await expectAccessible(page)
  await expectToFit(page)
}

/** Fetches a public page as an instance currently serves it to new visitors. */
const pageOf = async (site: Product, path: string): Promise<string> => (await fetch(site.url + path)).text()

/**
 * Milliseconds from the click until both instances show it. The promise is one second; the limit only distinguishes a
 * working site from a broken one on a busy machine.
 */
async function shownEverywhere(
  what: string,
  press: () => Promise<void>,
  isShown: (site: Product) => Promise<boolean>,
) {
  const begun = performance.now()
  const until = async (site: Product) => {
    while (!(await isShown(site))) {
      expect(performance.now() - begun).toBeLessThan(20 * SECOND)
      await setTimeout(20)
    }
    return Math.round(performance.now() - begun)
  }
  const [, here, there] = await Promise.all([press(), until(opened.product), until(another)])
  console.info(
    `${what}: shown after ${here} ms where it was published, after ${there} ms in the other instance`,
  )
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const field = (page: Page, place: string) => page.locator(`[data-place="${place}"]`)
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test.each(waysUnderTest('en'))(
  'a word, a milestone, a manual and a legal text are changed in the console, and both instances show it ($language, $size)',
  async ({ language, size, screen }) => {
    const t = wordsOf(language)
    const prefix = language === 'cn' ? '/cn' : ''
    const mark = `${language}-${size}`
    const editor = async () => {
      const { email } = await aSignedInMember(opened.api, { manage_news: 2, language })
      const { page } = await aVisitor(opened.product.url, screen)
      await signInByCall(page, opened.product, language, email)
      const mails = async () =>
        (await opened.product.mailsTo(email))
          .map(({ kind }) => kind)
          .filter((kind) => kind.startsWith('content-'))
      return { page, mails }
    }
    const { page, mails } = await editor()
    /** From the action bar of the draft to the dialog. */
    const toPublish = async () => {
      await page.getByRole('button', { name: t('consoleContent.publish'), exact: true }).click()
      await page.getByRole('dialog').getByText(t('consoleContent.publish.when')).waitFor()
    }
    const publish = async () => {
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('consoleContent.publish.now'), exact: true })
        .click()
      await page.getByText(t('consoleContent.publish.done')).waitFor()
    }

    // A sentence copied from the site leads to the place where it is edited.
    const words = { en: `Every coin in plain sight, ${mark}`, cn: `每一枚币，众目共睹 ${mark}` }
    await page.goto('/console/content')
    const search = page.getByRole('searchbox', { name: t('consoleContent.find') })
    // A busy machine may report that the service is unavailable, so the test retries.
    const again = page.getByRole('button', { name: t('forms.retry'), exact: true })
    await search.or(again).waitFor()
    if (await again.isVisible()) await again.click()
    await search.fill(await fetchedTitle(opened.product, prefix))
    await page
      .getByRole('region', { name: t('consoleContent.find') })
      .getByRole('link')
      .first()
      .click()
    await heading(page, t('consoleContent.piece.home')).waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-place')))
      .toBe(`${language}.home.hero.title`)
    for (const each of ['en', 'cn'] as const) await field(page, `${each}.home.hero.title`).fill(words[each])
    await toPublish()
    await check(page)
    await shownEverywhere('a word', publish, async (site) =>
      (await Promise.all([pageOf(site, '/'), pageOf(site, '/cn')])).every((html, at) =>
        html.includes(at === 0 ? words.en : words.cn),
      ),
    )

    // A milestone.
    const { id } = roadmap.at(-1)!
    const title = { en: `Halving of ${mark}`, cn: `减半 ${mark}` }
    await page.goto(`/console/content/facts/roadmap?at=${id}.en.title`)
    for (const each of ['en', 'cn'] as const) await field(page, `${id}.${each}.title`).fill(title[each])
    await toPublish()
    await shownEverywhere('a milestone', publish, async (site) =>
      (await pageOf(site, prefix || '/')).includes(title[language]),
    )

    // A manual: the page shows the SHA-256 of the file that both instances send.
    const pdf = aPdf({ pages: 3, mark })
    await page.goto(`/console/content/documents/${manual}`)
    const upload = page
      .getByRole('region', {
        name: t(language === 'cn' ? 'consoleContent.chinese' : 'consoleContent.english'),
      })
      .getByRole('form', { name: new RegExp(`^${inPattern(t('consoleContent.document.upload'))}`) })
    await upload.getByLabel(t('consoleContent.field.version')).fill('9.4.1')
    await upload
      .getByLabel(t('consoleContent.document.file'))
      .setInputFiles([{ name: 'new.pdf', mimeType: 'application/pdf', buffer: pdf }])
    await upload.getByRole('button', { name: t('consoleContent.document.add') }).click()
    await page.getByText(t('consoleContent.document.uploaded')).waitFor()
    await check(page)
    await toPublish()
    await shownEverywhere('a manual', publish, async (site) =>
      (await pageOf(site, `${prefix}/help`)).includes(hashOf(pdf)),
    )
    for (const site of [opened.product, another]) {
      const answer = await fetch(`${site.url}/assets/pdfs/${manual}-${language}.pdf`)
      expect(hashOf(Buffer.from(await answer.arrayBuffer()))).toBe(hashOf(pdf))
    }
    const { page: reader } = await aVisitor(another.url, screen)
    await reader.goto(`${prefix}/help`)
    const shown = reader.getByRole('listitem').filter({ has: reader.getByText(hashOf(pdf)) })
    await shown.getByText(t('documents.version', { version: '9.4.1' })).waitFor()
    await shown.getByText(t('documents.checksum'), { exact: true }).click()
    await reader.getByText(hashOf(pdf)).waitFor()

    // A legal text awaits a second approval. Meanwhile a member accepts the current one.
    const member = await aSignedInMember(opened.api)
    const { page: theirs } = await aVisitor(another.url, screen)
    await signIn(theirs, language, member.email)
    const request = theirs.getByRole('region', { name: t('consents.label') })
    const accept = async () => {
      await request.getByRole('button', { name: t('consents.accept') }).click()
      await expect.poll(() => request.count()).toBe(0)
    }
    await accept()
    const second = await editor()
    const lead = { en: `Terms as of ${mark}.`, cn: `使用条款，${mark}。` }
    await page.goto('/console/content/messages/legal?at=en.legal.terms.lead')
    for (const each of ['en', 'cn'] as const) await field(page, `${each}.legal.terms.lead`).fill(lead[each])
    await toPublish()
    const dialog = page.getByRole('dialog')
    const [before, after] = t('consoleContent.newVersion.terms').split('{version}') as [string, string]
    await dialog.getByLabel(new RegExp(`^${inPattern(before)}.*${inPattern(after)}$`)).check()
    await dialog.getByText(t('consoleContent.publish.takesTwo')).waitFor()
    await dialog.getByRole('button', { name: t('consoleContent.publish.propose'), exact: true }).click()
    await page.getByText(t('consoleContent.publish.proposed')).waitFor()
    await page.getByText(t('consoleContent.release.own')).waitFor()
    expect(await pageOf(another, `${prefix}/legal/terms`)).not.toContain(lead[language])

    // The email and the console's home page lead the second editor to it.
    await expect.poll(second.mails).toEqual(['content-proposed'])
    await second.page.goto('/console')
    await second.page.getByRole('link', { name: t('consoleHome.waiting.content_proposals') }).click()
    await heading(second.page, t('console.nav.content')).waitFor()
    await second.page.getByRole('button', { name: t('consoleContent.release.confirm'), exact: true }).click()
    await check(second.page)
    await shownEverywhere(
      'a legal text',
      async () => {
        await second.page
          .getByRole('dialog')
          .getByRole('button', { name: t('consoleContent.release.confirm.now'), exact: true })
          .click()
        await second.page.getByText(t('consoleContent.release.confirmed')).waitFor()
      },
      async (site) => (await pageOf(site, `${prefix}/legal/terms`)).includes(lead[language]),
    )
    expect(await mails()).toEqual(['content-confirmed'])

    // Members are asked again, only for the text that changed.
    await theirs.goto('/account/user-info')
    await request.waitFor()
    expect(await request.getByRole('listitem').count()).toBe(1)
    await accept()

    // The history shows who wrote and who approved it.
    await page.goto('/console/content/messages/legal/history')
    await heading(page, t('consoleContent.history')).waitFor()
    await page.getByText(t('consoleContent.history.current')).waitFor()
    if (isFull) await check(page)
  },
)

/** Calls over the network. */
const callsTo =
  ({ url }: Product): TestApi['call'] =>
  async (endpoint, input, { token = '' } = {}) => {
    const answer = await fetch(`${url}/v2/${addressOf(endpoint, input)}`, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json', 'x-app-id': defaultAppId, 'x-access-token': token },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    })
    const body = await answer.json()
    return { status: answer.status, headers: {}, body, problem: body, cookies: {} }
  }

/** Publishes like the console, for a test about what follows. */
async function publishWordAndManual(opened: Opened, manual: string): Promise<void> {
  const desk = await aContentDesk({ ...opened.api, call: callsTo(opened.product) })
  await desk.put('messages/home', { 'en.home.hero.title': 'To be exported', 'cn.home.hero.title': '待导出' })
  const piece = `documents/${manual}`
  const { version: basedOn } = await desk.read(piece)
  const { status } = await desk.call(api.uploadContentDocument, {
    body: {
      base: manual,
      language: 'en',
      title: 'To be exported',
      version: '9.5',
      basedOn,
      pdf: asPdfUrl(aPdf({ pages: 2, mark: 'to be exported' })),
    },
  })
  expect(status).toBe(201)
  expect((await desk.publish([piece])).status).toBe(200)
}

test(
  'what was published is exported, taken in by another installation, and exported as the same files',
  { tags: ['nightly'] },
  async () => {
    await publishWordAndManual(opened, manual)
    const folders = await Promise.all(['first', 'second'].map(aContentFolder))
    const [first, second] = folders as [string, string]
    const run = async (
      script: 'content-export' | 'content-import',
      folder: string,
      settings: Record<string, string>,
    ) => {
      const env = { PATH: process.env['PATH'], NODE_ENV: 'development', ...opened.settings, ...settings }
      const { stdout } = await promisify(execFile)(process.execPath, [`scripts/${script}.ts`, folder], {
        cwd: root,
        env,
      })
      return stdout
    }
    expect(await run('content-export', first, {})).toContain('messages/en/home.json')
    expect(sumsOf(first)).not.toEqual(sumsOf(second))

    const [databaseUrl, dataDir] = [await copyTemplate(), await makeTemporary('product')]
    onTestFinished(async () => {
      await dropDatabase(databaseUrl)
      await removeTemporary(dataDir)
    })
    const other = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
    expect(await run('content-import', first, other)).toContain(`documents/${manual}`)
    await run('content-export', second, other)
    expect(sumsOf(second)).toEqual(sumsOf(first))
  },
)

/** The content of the repository without films, which cannot be edited. */
async function aContentFolder(name: string): Promise<string> {
  const folder = await makeTemporary(name)
  onTestFinished(() => removeTemporary(folder))
  const left = ['media/films', 'samples'].map((each) => join(root, 'content', each))
  cpSync(join(root, 'content'), folder, { recursive: true, filter: (source) => !left.includes(source) })
  return folder
}

/** Returns every file with the SHA-256 of its bytes. */
const sumsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .toSorted()
      .map((name) => [name, hashOf(readFileSync(join(folder, name)))]),
  )

/** Returns the headline of the home page, as a reader would copy it. */
async function fetchedTitle(site: Product, prefix: string): Promise<string> {
  const [, title = ''] = /<h1[^>]*>(.*?)<\/h1>/s.exec(await pageOf(site, prefix || '/')) ?? []
  return title.replaceAll(/<[^>]+>/g, '').trim()
}

const inPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
