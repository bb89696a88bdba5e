import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import type { SignedIn } from '#contract/people/sessions.ts'
import { anEmail } from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { sampleAccount, type SampleAccount } from '#tests/setup/sample-accounts.ts'
import { signIn } from '#tests/setup/sign-in.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

let product: Product
let admin: SampleAccount
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
  admin = await sampleAccount(product, 'admin')
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

async function publish(title: string, language: 'en' | 'cn'): Promise<string> {
  const login = await product.post('members/login', admin)
  const { token } = (await login.json()) as SignedIn
  const post = { title, language, category: 'News', content: `<p>${title}</p>` }
  const answer = await product.post('announcements/create', post, { 'x-access-token': token })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { _id: string })._id
}

async function isQueued(id: string): Promise<boolean> {
  const login = await product.post('members/login', admin)
  const { token } = (await login.json()) as SignedIn
  const url = `${product.url}/v2/${api.readPostMail.path.replace(':id', id)}`
  const answer = await fetch(url, { headers: { 'x-app-id': defaultAppId, 'x-access-token': token } })
  return ((await answer.json()) as OutputOf<typeof api.readPostMail>).progress?.isQueued === true
}

const newsTo = async (email: string, title: string) =>
  (await product.mailsTo(email)).find(({ subject }) => subject.includes(title))
const linkTo = (path: string, text: string): string =>
  new RegExp(`https?:\\S+${path}#\\S+`).exec(text)?.[0] ?? `no link to ${path}`

test.each(['en', 'cn'] as const)(
  'a visitor subscribes by two mails, reads a post in the mailbox, and leaves; staff see it come and go: %s',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const email = anEmail()
    const { page: reader } = await aVisitor(product.url)
    await reader.goto(language === 'en' ? '/newsletter' : '/cn/newsletter')
    await reader.getByRole('main').getByLabel(t('newsletter.email'), { exact: true }).fill(email)
    await checkPage(reader)
    await reader.getByRole('button', { name: t('newsletter.subscribe'), exact: true }).click()
    await reader.getByText(t('newsletter.sent', { email })).waitFor()
    await expect.poll(async () => (await product.mailsTo(email)).length).toBe(1)
    const [asked] = await product.mailsTo(email)

    // An address that was only typed gets no emails.
    const early = `Early ${email}`
    await publish(early, language)
    await reader.goto(linkTo('/newsletter/confirm', asked!.text))
    await checkPage(reader)
    await reader.getByRole('button', { name: t('newsletter.confirm.submit') }).click()
    await reader.getByRole('heading', { level: 1, name: t('newsletter.confirmed') }).waitFor()
    await checkPage(reader)
    const title = `Post for ${email}`
    const id = await publish(title, language)
    await expect.poll(() => newsTo(email, title)).toBeDefined()
    const mail = (await newsTo(email, title))!
    expect(await newsTo(email, early)).toBeUndefined()

    const { page: staff } = await aVisitor(product.url)
    await signIn(staff, language, admin.email, admin.password)
    await staff.waitForURL('**/account/account-details')
    await staff.goto(`/console/subscribers?q=${encodeURIComponent(email)}`)
    await staff.getByRole('main').getByText(email).first().waitFor()
    await checkPage(staff)
    await staff.goto(`/console/newsroom/${id}/mail`)
    await checkPage(staff)

    await reader.goto(linkTo('/newsletter/manage', mail.text))
    await reader.getByRole('button', { name: t('newsletter.leave'), exact: true }).click()
    const address = `${email[0]}…${email.slice(email.indexOf('@'))}`
    const left = reader.getByText(t('newsletter.left', { address }))
    await left.waitFor()
    await checkPage(reader)
    // The link in the email shows the same status, and no further post is sent to them.
    await reader.reload()
    await left.waitFor()
    const late = `Late ${email}`
    const lateId = await publish(late, language)
    // Once the recipients are queued, each has the email in the outbox.
    await expect.poll(() => isQueued(lateId)).toBe(true)
    expect(await newsTo(email, late)).toBeUndefined()
  },
)
