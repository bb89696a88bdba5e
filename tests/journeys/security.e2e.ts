import { TOTP } from 'otpauth'
import pg from 'pg'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { acceptedConsents, anEmail, goodPassword } from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { signInWhereActivated } from '#tests/setup/sign-in.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

type Says = ReturnType<typeof wordsOf>

let product: Product
let database: pg.Client

beforeAll(async () => {
  const started = await startOnCopy()
  product = started
  database = new pg.Client({ connectionString: started.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

async function anActiveMember(): Promise<string> {
  const email = anEmail()
  await product.post('members/create', { email, password: goodPassword, consents: acceptedConsents })
  const mail = (await product.mailsTo(email)).find(({ kind }) => kind === 'activation')
  const activation = await fetch(
    `${product.url}/v2/members/activation/${email}/${/code=([^&\s]+)/.exec(mail!.text)![1]}`,
    {
      headers: { 'x-app-id': '5b9a3f7c2e8d41609fab0001' },
    },
  )
  await signInWhereActivated(product, email, activation)
  return email
}

async function aBrowser(language: Language): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await aVisitor(product.url, { reducedMotion: 'reduce' })
  await context.addInitScript(([key, code]) => localStorage.setItem(key, code), [
    storageKey,
    language,
  ] as const)
  await context.addCookies([{ name: 'language', value: language, url: product.url }])
  return { page, context }
}

/** A virtual authenticator that stores passkeys and verifies its user at once. */
async function addAuthenticator(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('WebAuthn.enable')
  await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function givePassword(page: Page, t: Says, email: string): Promise<void> {
  await page.goto('/login/signin')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: t('login.signin.submit'), exact: true }).click()
}

async function leave(page: Page, t: Says): Promise<void> {
  await page
    .getByRole('group', { name: t('layout.account.label') })
    .locator('summary')
    .click()
  await page.getByRole('button', { name: t('layout.account.signOut') }).click()
  await page.waitForURL(`${product.url}/`)
}

const letProofsAge = () => database.query(`update session set proved_at = now() - interval '11 minutes'`)

async function readCodes(page: Page): Promise<string[]> {
  await page
    .getByRole('listitem')
    .filter({ has: page.locator('code') })
    .nth(9)
    .waitFor()
  return page.locator('ol li > code').allTextContents()
}

/** Accessible, and no wider than a narrow phone. */
async function checkPage(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectToFit(page)
}

type Protected = { email: string; page: Page; recoveryCodes: string[] }

/** A member who has just added a passkey, with the recovery codes that came with it. */
async function aProtectedMember(language: Language): Promise<Protected> {
  const t = wordsOf(language)
  const email = await anActiveMember()
  const { page } = await aBrowser(language)
  await addAuthenticator(page)
  await givePassword(page, t, email)
  await page.waitForURL('**/account/account-details')
  await page.goto('/account/security')
  await page.getByRole('button', { name: t('security.passkeys.add') }).click()
  const recoveryCodes = await readCodes(page)
  return { email, page, recoveryCodes }
}

const acknowledgeCodes = async (page: Page, t: Says) => {
  await page.getByRole('button', { name: t('security.codes.done') }).click()
  await page.getByText(t('security.recovery.left', { count: 10 })).waitFor()
}

test.each(languagesUnderTest('cn'))(
  'a member adds a passkey, and signs in with it alone and as the second step, in %s',
  async (language) => {
    const t = wordsOf(language)
    const { email, page, recoveryCodes } = await aProtectedMember(language)
    expect(recoveryCodes).toHaveLength(10)
    await checkPage(page)
    await acknowledgeCodes(page, t)

    await leave(page, t)
    await page.goto('/login/signin')
    await page.getByRole('button', { name: t('passkey.use') }).click()
    await page.waitForURL('**/account/account-details')
    await leave(page, t)
    await givePassword(page, t, email)
    await page.getByRole('heading', { name: t('login.factor.heading') }).waitFor()
    await checkPage(page)
    await page.getByRole('button', { name: t('passkey.use') }).click()
    await page.waitForURL('**/account/account-details')
    expect((await product.mailsTo(email)).map(({ kind }) => kind)).toContain('passkey-added')
  },
)

test.each(languagesUnderTest('cn'))(
  'the account is protected further, by recovery codes and an authenticator app, in %s',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const { email, page, recoveryCodes } = await aProtectedMember(language)
    await page.emulateMedia({ media: 'print' })
    const printed = (await page.locator('body').innerText()).split('\n').filter(Boolean)
    expect(printed.join(' ')).toContain(recoveryCodes[9])
    expect(printed.join(' ')).not.toContain(t('security.password.heading'))
    await page.emulateMedia({ media: 'screen' })
    await acknowledgeCodes(page, t)

    // A second browser has no passkey, so a recovery code is used instead.
    const { page: second } = await aBrowser(language)
    await givePassword(second, t, email)
    await second.getByLabel(t('login.factor.recovery.label'), { exact: true }).fill(recoveryCodes[0]!)
    await second.getByRole('button', { name: t('login.signin.submit'), exact: true }).click()
    await second.waitForURL('**/account/account-details')

    // Typed text survives the request to sign in again.
    await letProofsAge()
    const newEmail = anEmail()
    await page.goto('/account/user-info')
    await page.getByRole('button', { name: t('account.profile.edit') }).click()
    await page.getByLabel(t('forms.email.label'), { exact: true }).fill(newEmail)
    await page.getByRole('button', { name: t('account.profile.save'), exact: true }).click()
    const dialog = page.getByRole('dialog', { name: t('stepUp.heading') })
    // The password alone may have been stolen, so it is not offered.
    await dialog.getByRole('button', { name: t('stepUp.other.code') }).click()
    expect(await dialog.getByLabel(t('stepUp.password.label'), { exact: true }).count()).toBe(0)
    await checkPage(page)
    await dialog.getByLabel(t('stepUp.code.label'), { exact: true }).fill('wrong')
    await dialog.getByRole('button', { name: t('stepUp.submit') }).click()
    await dialog.getByText(t('errors.code_invalid')).waitFor()
    await dialog.getByRole('button', { name: t('forms.cancel') }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel(t('forms.email.label'), { exact: true }).inputValue()).toBe(newEmail)
    await page.getByRole('button', { name: t('account.profile.save'), exact: true }).click()
    await dialog.getByRole('button', { name: t('passkey.use') }).click()
    await page.getByText(t('account.pendingEmail.heading')).waitFor()
    await dialog.waitFor({ state: 'detached' })

    // The app, set up with the secret in its QR code.
    await page.goto('/account/security')
    await page.getByRole('button', { name: t('security.factor.begin'), exact: true }).click()
    await page.getByRole('img', { name: t('security.factor.qr') }).waitFor()
    await checkPage(page)
    const secret = (await page.locator('ol code').textContent())!.replaceAll(' ', '')
    const totp = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
    await page.getByLabel(t('login.factor.label'), { exact: true }).fill(totp.generate())
    await page.getByRole('button', { name: t('security.factor.confirm') }).click()
    expect(await readCodes(page)).not.toContain(recoveryCodes[1])
    await page.getByRole('button', { name: t('security.codes.done') }).click()

    // The other browser is signed out from here: its next click asks it to sign in.
    await page.getByRole('button', { name: t('security.sessions.endOthers') }).waitFor()
    await page
      .getByRole('button', { name: t('security.sessions.endNamed', { device: '' }).trim() })
      .first()
      .click()
    await page.getByText(t('security.sessions.ended')).waitFor()
    await second
      .getByRole('link', { name: t('layout.account.userInfo') })
      .first()
      .click()
    const again = second.getByRole('dialog', { name: t('session.again.heading') })
    await again.getByRole('button', { name: t('session.again.leave') }).click()
    await second.waitForURL('**/login/signin')

    // Renamed, and removed.
    await page.getByRole('button', { name: t('security.passkeys.renameNamed', { name: '' }).trim() }).click()
    await page.getByLabel(t('security.passkeys.name'), { exact: true }).fill('My laptop')
    await page.getByRole('button', { name: t('security.passkeys.save') }).click()
    await page
      .getByRole('button', { name: t('security.passkeys.removeNamed', { name: 'My laptop' }) })
      .click()
    const question = page.getByRole('dialog', {
      name: t('security.passkeys.removeHeading', { name: 'My laptop' }),
    })
    await letProofsAge()
    await question.getByRole('button', { name: t('security.passkeys.remove') }).click()
    await dialog.getByRole('button', { name: t('stepUp.other.code') }).click()
    const next = totp.generate({ timestamp: Date.now() + 30_000 })
    await dialog.getByLabel(t('stepUp.code.label'), { exact: true }).fill(next)
    await dialog.getByRole('button', { name: t('stepUp.submit') }).click()
    await page.getByText(t('security.passkeys.removed')).waitFor()

    const kinds = (await product.mailsTo(email)).map(({ kind }) => kind)
    for (const kind of [
      'passkey-removed',
      'second-factor-added',
      'recovery-code-used',
      'email-change-requested',
    ])
      expect(kinds).toContain(kind)
  },
)
