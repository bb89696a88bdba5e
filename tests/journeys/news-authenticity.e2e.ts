import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import samples from '#content/samples/announcements.json'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { PublishedVersion, SignedDocument } from '#contract/publishing/signatures.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import { goodPassword } from '#tests/builders.ts'
import { makePublisher, publisherEmail, publisherSettings } from '#tests/setup/a-publisher.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

let product: Product
const posts = {} as Record<Language, Announcement>

beforeAll(async () => {
  product = await startOnCopy({ ...publisherSettings, DEMO: 'on' })
  await makePublisher(product)
  const signedIn = await product.post('members/login', { email: publisherEmail, password: goodPassword })
  const headers = { 'x-access-token': ((await signedIn.json()) as { token: string }).token }
  for (const language of languages) {
    const fields = { title: `Signed ${language}`, category: 'News', language }
    const made = await product.post('announcements/create', { ...fields, content: '<p>One</p>' }, headers)
    const { _id } = (await made.json()) as Announcement
    const body = { _id, ...fields, content: '<p>Two, 第二版</p>' }
    posts[language] = (await (
      await product.post('announcements/updatePostById', body, headers)
    ).json()) as Announcement
  }
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

const addressOf = (language: Language) => `${language === 'cn' ? '/cn' : ''}/news/${posts[language].slug}`
const press = (page: Page, language: Language) =>
  page.getByRole('button', { name: wordsOf(language)('news.verify.button') }).click()

test.each(languagesUnderTest('cn'))(
  'in %s a reader verifies a post and sees its versions',
  async (language) => {
    const t = wordsOf(language)
    const { page } = await aVisitor(product.url)
    await page.goto(addressOf(language))
    await press(page, language)
    await page.getByText(t('signatures.right'), { exact: true }).waitFor()
    const items = page.getByRole('listitem').filter({ hasText: t('signatures.signatureRight') })
    expect(await items.count()).toBe(2)
    expect(await items.first().textContent()).toContain(t('signatures.versionNumber', { n: 2 }))
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectToFit(page)
  },
)

test('an altered text and a missing signature raise a prominent warning', async () => {
  const t = wordsOf('en')
  const { page } = await aVisitor(product.url)
  await page.route('**/news/*', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replaceAll('第二版', 'send your coins to me')
    await route.fulfill({ response: answer, body })
  })
  await page.goto(addressOf('en'))
  await press(page, 'en')
  const alert = page.getByRole('alert').filter({ hasText: t('signatures.wrong') })
  await alert.waitFor()
  expect(await alert.textContent()).toContain(t('signatures.problem.content'))
  await page.route('**/versions', (route) => route.fulfill({ json: [] }))
  await page.reload()
  await press(page, 'en')
  await alert.waitFor()
  expect(await alert.textContent()).toContain(t('signatures.problem.none'))
})

test('without script the page says how to verify the post and links to the guide', async () => {
  const t = wordsOf('en')
  const { page } = await aVisitor(product.url, { javaScriptEnabled: false })
  await page.goto(addressOf('en'))
  expect(await page.getByRole('button', { name: t('news.verify.button') }).count()).toBe(0)
  await page.getByRole('link', { name: t('news.verify.guide') }).click()
  expect(await page.textContent('body')).toContain(`SITE=${product.url} `)
})

test('the sample posts of a demo are signed too', async () => {
  const [sample] = samples.filter(({ language }) => language === 'en')
  const { page } = await aVisitor(product.url)
  await page.goto('/news')
  await page.getByRole('link', { name: sample!.title }).click()
  await press(page, 'en')
  await page.getByText(wordsOf('en')('signatures.right'), { exact: true }).waitFor()
})

const guideFiles = { en: 'docs/how-to/verify-a-post.md', cn: 'docs/how-to/verify-a-post.cn.md' }

/** The output of the guide's commands, block by block. */
function runGuide(guide: string, directory: string, language: Language): string[] {
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!)
  const settings = `POST=${posts[language].slug}`
  const script = ['set -euo pipefail', ...blocks].join('\necho "=== next"\n').replace(/POST=\S+/, settings)
  const ran = spawnSync('bash', ['-c', script], { cwd: directory, encoding: 'utf8' })
  if (ran.status !== 0) throw new Error(`the guide's commands failed: ${ran.stderr}`)
  return ran.stdout.split('=== next\n').slice(2)
}

const tools = ['bash', 'curl', 'jq', 'openssl', 'sha256sum']
const isMissing = (tool: string) =>
  spawnSync(tool, [tool === 'openssl' ? 'version' : '--version']).error !== undefined

test.each(languages)('the commands of the guide in %s verify a post', async (language) => {
  const guide = await (
    await fetch(`${product.url}${language === 'cn' ? '/cn' : ''}/verify-a-post.txt`)
  ).text()
  expect(guide).toBe(
    readFileSync(guideFiles[language], 'utf8').replaceAll('https://coin.example', product.url),
  )
  const read = async <T>(path: string) =>
    (await (await fetch(product.url + path, { headers: { 'x-app-id': defaultAppId } })).json()) as T
  const [newest, first] = await read<PublishedVersion[]>(
    `/v2/announcements/${language}/posts/${posts[language].slug}/versions`,
  )
  const keys = await read<{ keyId: string; pem: string }[]>('/.well-known/news-signing-keys.json')
  const key = createPublicKey(keys.find(({ keyId }) => keyId === newest!.keyId)!.pem)
  const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
  const document = JSON.parse(newest!.document) as SignedDocument
  expect(verify(null, Buffer.from(newest!.document), key, Buffer.from(newest!.signature, 'base64'))).toBe(
    true,
  )
  expect(document.contentSha256).toBe(hash(posts[language].content))
  expect(document.previousSha256).toBe(hash(first!.document))
  // The checks above do not need the guide's tools, which may be missing.
  const missing = tools.filter(isMissing)
  if (missing.length > 0) return console.info(`the guide's commands were not run: no ${missing.join(', ')}`)
  const directory = await makeTemporary('guide')
  const [, fingerprint, verified, content, history] = runGuide(guide, directory, language)
  await removeTemporary(directory)
  expect(fingerprint).toBe(`${hash(key.export({ type: 'spki', format: 'der' }))}  -\n`)
  expect(fingerprint!.slice(0, 16)).toBe(newest!.keyId)
  expect(verified).toBe('Signature Verified Successfully\n')
  expect(content!.split('\n').slice(0, 6)).toEqual([
    document.contentSha256,
    `${document.contentSha256}  -`,
    posts[language].title,
    posts[language].slug,
    product.url,
    newest!.publishedAt,
  ])
  expect(history).toBe(`${document.previousSha256}\n${document.previousSha256}  -\n`)
})
