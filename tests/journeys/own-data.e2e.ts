import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import { totpOf } from '#api/people/sessions/second-factor.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { SessionSeen, SignedIn } from '#contract/people/sessions.ts'
import { expectAccessible } from '#tests/setup/check-page.ts'
import { anEmail, goodPassword } from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { unzip } from '#tests/setup/unzip.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

/** A shared machine may be slow, so the timeout is generous. */
const soon = { timeout: 30_000 }

let product: Product
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

type Words = ReturnType<typeof wordsOf>
type Visit = { t: Words; email: string; page: Page; context: BrowserContext }

/** A member who signed up with another client, which sends no consents, and signed in here. */
async function aVisitOfMember(language: Language): Promise<Visit> {
  const t = wordsOf(language)
  const email = anEmail()
  const spoken = { 'accept-language': language === 'cn' ? 'zh-CN' : 'en' }
  await product.post('members/create', { email, password: goodPassword }, spoken)
  const [mail] = await product.mailsTo(email)
  const code = /[?&]code=([^&\s]+)/.exec(mail!.text)![1]!
  const { page, context } = await aVisitor(product.url, {
    locale: spoken['accept-language'],
    reducedMotion: 'reduce',
  })
  // In the browser that signs in, as a person does it.
  await context.request.get(`/v2/members/activation/${email}/${code}`, {
    headers: { 'x-app-id': defaultAppId },
  })
  await context.addCookies([{ name: 'language', value: language, url: product.url }])
  await page.addInitScript(([key, code]) => localStorage.setItem(key, code), [storageKey, language] as const)
  await page.goto('/account/user-info')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: t('login.signin.submit') }).click()
  await page.waitForURL('**/account/user-info')
  return { t, email, page, context }
}

const edit = (page: Page, t: Words) =>
  page.getByRole('button', { name: t('account.profile.edit'), exact: true }).click()
const save = (page: Page, t: Words) =>
  page.getByRole('button', { name: t('account.profile.save'), exact: true }).click()
const field = (page: Page, t: Words, key: string) =>
  page.getByLabel(new RegExp(`^${t(key).replaceAll(/[()（）]/g, '.')}`)).first()

/** The profile shows the value as saved under that label. */
async function expectSaved(page: Page, t: Words, key: string, value: string): Promise<void> {
  const fact = page
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${t(key)}$`) }) })
    .locator('dd')
    .first()
  await expect.poll(() => fact.textContent({ timeout: 2000 }).catch(() => null), soon).toBe(value)
}

/** From another device: sets up a second factor and ends every other session. Returns a recovery code. */
async function guardAndEndSessions(email: string): Promise<string> {
  const signIn = await product.post('members/login', { email, password: goodPassword })
  const headers = { 'x-access-token': ((await signIn.json()) as SignedIn).token }
  const begun = await product.post('members/totp/begin', {}, headers)
  const { secret } = (await begun.json()) as { secret: string }
  const code = totpOf(secret).generate()
  const confirmed = await product.post('members/totp/confirm', { code }, headers)
  const all = { 'x-app-id': defaultAppId, ...headers }
  const list = await fetch(`${product.url}/v2/members/sessions`, { headers: all })
  const others = ((await list.json()) as SessionSeen[]).filter(({ current }) => !current)
  for (const { id } of others)
    await fetch(`${product.url}/v2/members/sessions/${id}`, { method: 'DELETE', headers: all })
  return ((await confirmed.json()) as { recoveryCodes: string[] }).recoveryCodes[0]!
}

test.each(languagesUnderTest('en'))(
  'a member accepts the terms, and edits, exports and erases their data (%s)',
  async (language) => {
    const { t, email, page, context } = await aVisitOfMember(language)

    const request = page.getByRole('region', { name: t('consents.label') })
    await request.getByRole('button', { name: t('consents.accept') }).click()
    await expect.poll(() => request.count(), soon).toBe(0)
    await page.reload()
    await expect.poll(() => page.locator('#consents').locator('..').getByRole('link').count(), soon).toBe(2)
    expect(await request.count()).toBe(0)
    await expectAccessible(page)

    // Cancel restores the saved values; the header shows the saved name.
    await edit(page, t)
    await field(page, t, 'account.profile.displayName').fill('Never saved')
    await page.getByRole('button', { name: t('forms.cancel'), exact: true }).click()
    await edit(page, t)
    expect(await field(page, t, 'account.profile.displayName').inputValue()).toBe('')
    await field(page, t, 'account.profile.displayName').fill('Ada 爱达')
    const mobile = field(page, t, 'account.profile.mobile')
    expect(await mobile.getAttribute('inputmode')).toBe('tel')
    await mobile.fill('+47 0012')
    await save(page, t)
    await expectSaved(page, t, 'account.profile.mobile', '+47 0012')
    await expect.poll(() => page.getByRole('banner').textContent(), soon).toContain('Ada 爱达')

    // Two windows: the second one sees both values and chooses.
    const other = await context.newPage()
    await other.goto('/account/user-info')
    await edit(page, t)
    await edit(other, t)
    await field(other, t, 'account.profile.displayName').fill('There')
    await field(other, t, 'account.profile.firstName').fill('Adelheid')
    await save(other, t)
    await expectSaved(other, t, 'account.profile.firstName', 'Adelheid')
    await field(page, t, 'account.profile.displayName').fill('Here')
    await field(page, t, 'account.profile.midName').fill('Kept')
    await save(page, t)
    const clash = page.getByRole('form', { name: t('account.conflict.heading') })
    const names = clash.getByRole('group', { name: t('account.profile.displayName') })
    await expect.poll(() => names.textContent(), soon).toContain('There')
    expect(await names.textContent()).toContain('Here')
    expect(await names.getByRole('radio', { checked: true }).count()).toBe(1)
    await expectAccessible(page)
    await names.getByLabel('There').check()
    await clash.getByRole('button', { name: t('account.conflict.save') }).click()
    await expectSaved(page, t, 'account.profile.displayName', 'There')
    await expectSaved(page, t, 'account.profile.midName', 'Kept')
    await expectSaved(page, t, 'account.profile.firstName', 'Adelheid')
    await other.close()

    // The session ends while the member types: they sign in again in place, and what they typed is saved.
    await edit(page, t)
    await field(page, t, 'account.profile.lastName').fill('Lovelace')
    const recoveryCode = await guardAndEndSessions(email)
    await save(page, t)
    const dialog = page.getByRole('dialog', { name: t('session.again.heading') })
    await dialog.getByRole('button', { name: t('session.again.later') }).click()
    await expect.poll(() => dialog.count(), soon).toBe(0)
    await expect
      .poll(() => page.getByRole('alert').allTextContents(), soon)
      .toContainEqual(expect.stringMatching(/\S/))
    expect(await field(page, t, 'account.profile.lastName').inputValue()).toBe('Lovelace')
    await save(page, t)
    const password = dialog.getByLabel(t('login.signin.password.label'), { exact: true })
    await password.fill('not this one')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('session.again.submit') }).click()
    await expect.poll(() => dialog.textContent(), soon).toContain(t('session.again.wrong'))
    await password.fill(goodPassword)
    await dialog.getByRole('button', { name: t('session.again.submit') }).click()
    await dialog.getByLabel(t('login.factor.label'), { exact: true }).fill(recoveryCode)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('login.signin.submit'), exact: true }).click()
    await expectSaved(page, t, 'account.profile.lastName', 'Lovelace')
    expect(new URL(page.url()).pathname).toBe('/account/user-info')

    // Without a connection nothing is lost, and one click sends it again.
    await edit(page, t)
    await field(page, t, 'account.profile.workPhone').fill('0047')
    await context.setOffline(true)
    await save(page, t)
    const retry = page.getByRole('button', { name: t('forms.retry') })
    await retry.waitFor()
    await context.setOffline(false)
    await retry.click()
    await expectSaved(page, t, 'account.profile.workPhone', '0047')

    // From then on the phrase is in every email, except to an address that is not verified.
    await page
      .getByRole('textbox', { name: new RegExp(`^${t('account.phrase.label')}`) })
      .fill('两只苍鹭 herons')
    await page.getByRole('button', { name: t('account.phrase.save') }).click()
    await expect.poll(async () => (await product.mailsTo(email))[0]!.kind, soon).toBe('phrase-set')
    const newEmail = anEmail()
    await edit(page, t)
    await field(page, t, 'forms.email.label').fill(newEmail)
    await save(page, t)
    await page.getByRole('button', { name: t('account.pendingEmail.resend') }).click()
    await expect.poll(async () => (await product.mailsTo(newEmail)).length, soon).toBe(2)
    expect(JSON.stringify(await product.mailsTo(newEmail))).not.toContain('herons')
    expect((await product.mailsTo(email))[0]).toMatchObject({
      kind: 'email-change-requested',
      text: expect.stringContaining('两只苍鹭 herons'),
      html: expect.stringContaining('两只苍鹭 herons'),
    })
    await expectAccessible(page)
    await page.getByRole('button', { name: t('account.pendingEmail.withdraw') }).click()
    await expect
      .poll(() => page.getByRole('button', { name: t('account.pendingEmail.withdraw') }).count(), soon)
      .toBe(0)

    // Everything as one archive.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('account.data.download') }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.zip$/)
    const files = unzip(await readFile(await download.path()))
    const profile = JSON.parse(files.get('profile.json')!.toString()) as object
    expect(profile).toMatchObject({
      email,
      lastName: 'Lovelace',
      workPhone: '0047',
      phrase: '两只苍鹭 herons',
    })
    expect(JSON.parse(files.get('consents.json')!.toString())).toHaveLength(2)
    expect(/\p{Script=Han}/u.test(files.get('README.txt')!.toString())).toBe(language === 'cn')

    // Erasure: previewed, then carried out, and confirmed on the page and by mail.
    await page.getByRole('button', { name: t('account.erase.begin') }).click()
    await expect
      .poll(() => page.getByRole('main').textContent(), soon)
      .toContain(t('account.erase.kept.none'))
    await page.getByLabel(t('account.erase.password'), { exact: true }).fill(goodPassword)
    const eraseButton = page.getByRole('button', { name: t('account.erase.submit') })
    expect(await eraseButton.isDisabled()).toBe(true)
    await page.getByLabel(t('account.erase.understood')).check()
    await expectAccessible(page)
    await eraseButton.click()
    await page.getByRole('heading', { level: 1, name: t('account.erased.heading') }).waitFor()
    await expectAccessible(page)
    expect((await product.mailsTo(email)).map(({ kind }) => kind)).toEqual(['account-erased'])
    const again = await product.post('members/login', { email, password: goodPassword })
    expect(again.status).toBe(401)
    await page.goto('/account/user-info')
    await page.waitForURL('**/login/signin')
  },
)

test('signing out in one window signs the others out; cookies that merely expired leave them as they are', async () => {
  const { t, page, context } = await aVisitOfMember('en')
  const other = await context.newPage()
  await other.goto('/account/security')
  await other.getByRole('heading', { level: 1 }).waitFor()
  const cookies = await context.cookies()
  await context.clearCookies()
  await edit(page, t)
  await field(page, t, 'account.profile.firstName').fill('Still here')
  await other.bringToFront()
  await page.bringToFront()
  expect(await field(page, t, 'account.profile.firstName').inputValue()).toBe('Still here')
  await context.addCookies(cookies)
  await save(page, t)
  await expectSaved(page, t, 'account.profile.firstName', 'Still here')

  await page
    .getByRole('group', { name: t('layout.account.label') })
    .locator('summary')
    .click()
  await page.getByRole('button', { name: t('layout.account.signOut') }).click()
  await page.waitForURL(`${product.url}/`)
  await other.waitForURL('**/login/signin')
})
