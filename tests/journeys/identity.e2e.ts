import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#api/platform/db/database.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import { photoBytesMax } from '#contract/people/kyc.ts'
import { expectAccessible } from '#tests/setup/check-page.ts'
import { anApplicant, aPicture, goodPassword } from '#tests/builders.ts'
import { approveOnPage } from '#tests/setup/approve-case.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { join, signIn } from '#tests/setup/sign-in.ts'
import { startOnCopy } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { isFull, languagesUnderTest } from '#tests/setup/languages-under-test.ts'

const ethAddress = '0x52908400098527886e0f7030069857d2e4169ee7'

type StartedProduct = Awaited<ReturnType<typeof startOnCopy>>

let product: StartedProduct
beforeAll(async () => {
  product = await startOnCopy({ STAFF_SECOND_FACTOR: 'optional' })
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

async function makeOfficer({ databaseUrl }: StartedProduct, email: string): Promise<void> {
  const db = openDatabase(databaseUrl, () => {})
  await db.updateTable('member').set({ manage_finance: 2 }).where('email', '=', email).execute()
  await db.destroy()
}

const photo = async (name: string, width: number, height: number) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width, height, channels: 3, background: '#a98' } })
    .jpeg()
    .withExif({ IFD0: { Artist: 'Sample Photographer' } })
    .toBuffer(),
})

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
type Case = readonly [Language, keyof typeof sizes]
const cases: readonly Case[] = isFull
  ? languages.flatMap((language) => [[language, 'phone'] as const, [language, 'desktop'] as const])
  : [['cn', 'phone']]

const received = (page: Page) => page.locator('li [role=status]')
const photoField = (page: Page) => page.locator('input[name=photoId]')

/** A member on the identity form. */
async function anApplicantAt([language, size]: Case): Promise<Page> {
  const email = await join(product)
  const { page } = await aVisitor(product.url, {
    viewport: sizes[size],
    ...(size === 'phone' ? { hasTouch: true, isMobile: true } : {}),
  })
  await signIn(page, language, email)
  await page.goto('/kyc')
  await photoField(page).waitFor({ state: 'attached' })
  return page
}

async function expectShape(page: Page, shape: [width: number, height: number]): Promise<void> {
  const read = () =>
    page
      .locator('li img')
      .nth(1)
      .evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])
  await expect.poll(read).toEqual(shape)
}

test.each(cases)(
  'a member submits their identity documents and sees their status (%s, %s)',
  async (language, size) => {
    const t = wordsOf(language)
    const page = await anApplicantAt([language, size])

    // The limits are shown before anything is selected, and the camera is offered if there is one.
    expect(await page.getByText(t('kyc.photo.help', { max: 8, size: 10 })).isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: t('kyc.photo.camera'), exact: true }).isVisible()).toBe(
      size === 'phone',
    )

    await page.getByLabel(t('kyc.fullName'), { exact: true }).fill('Sample Person')
    await page.getByLabel(t('kyc.dateOfBirth'), { exact: true }).fill('1990-01-31')
    await page.getByLabel(t('kyc.ethAddress'), { exact: true }).fill(ethAddress)
    await photoField(page).setInputFiles([
      await photo('front.jpg', 4000, 2000),
      await photo('back.jpg', 900, 600),
    ])
    await expect.poll(() => received(page).count()).toBe(2)
    await page.getByRole('button', { name: t('kyc.photo.turnNamed', { name: 'back.jpg' }) }).click()
    await expectShape(page, [600, 900])
    await expect.poll(() => received(page).count()).toBe(2)
    await expectAccessible(page)

    // Everything is shown again after a reload.
    await page.reload()
    await page.getByText(t('kyc.photo.waitingName', { number: 2 })).waitFor()
    await expect.poll(() => received(page).count()).toBe(2)
    expect(await page.getByLabel(t('kyc.fullName'), { exact: true }).inputValue()).toBe('Sample Person')
    expect(await page.getByLabel(t('kyc.dateOfBirth'), { exact: true }).inputValue()).toBe('1990-01-31')
    expect(await page.getByLabel(t('kyc.ethAddress'), { exact: true }).inputValue()).toBe(ethAddress)

    await page.getByRole('button', { name: t('kyc.submit') }).click()
    await page.getByText(t('kyc.status.submitted.text')).waitFor()
    await page.getByText(t('kyc.usual.none')).waitFor()
    expect(await page.getByText(t('kyc.views.none')).count()).toBe(1)
    expect(await page.evaluate(() => sessionStorage.getItem('_draft:kyc'))).toBe(null)
    expect(await page.getByRole('button', { name: t('kyc.again') }).count()).toBe(0)
    await expectAccessible(page)
    const wide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
    expect(await page.evaluate(wide)).toBe(false)
    await page.reload()
    await page.getByText(t('kyc.status.submitted.text')).waitFor()
  },
)

test.each(cases)(
  'a bad or lost photo is replaced, sent again or removed, and the good ones are kept (%s, %s)',
  { tags: ['nightly'] },
  async (language, size) => {
    const t = wordsOf(language)
    const page = await anApplicantAt([language, size])
    const field = photoField(page)

    // A bad file causes an error message, and the good ones are kept.
    await field.setInputFiles([
      await photo('front.jpg', 4000, 2000),
      { name: 'script.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<script>alert(1)</script>') },
      { name: 'large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(photoBytesMax + 1) },
      await photo('back.jpg', 900, 600),
    ])
    await expect.poll(() => page.getByText(t('kyc.photo.unreadable', { name: 'script.jpg' })).count()).toBe(1)
    expect(await page.getByText(t('kyc.photo.tooLarge', { name: 'large.jpg', max: 10 })).count()).toBe(1)
    expect(await page.getByText(t('kyc.photo.required')).count()).toBe(1)
    await expect.poll(() => received(page).count()).toBe(2)

    await page.getByRole('button', { name: t('kyc.photo.turnNamed', { name: 'back.jpg' }) }).click()
    await expectShape(page, [600, 900])
    await expect.poll(() => received(page).count()).toBe(2)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: t('kyc.photo.replaceNamed', { name: 'back.jpg' }) }).click()
    await (await chooser).setFiles([await photo('back-again.jpg', 900, 600)])
    await expect.poll(() => page.getByText('back-again.jpg').count()).toBe(1)
    await expect.poll(() => received(page).count()).toBe(2)
    await expectAccessible(page)

    // Only the photo whose upload failed is uploaded again.
    await page.route('**/kyc/photos', (route) => route.abort())
    await field.setInputFiles([await photo('third.jpg', 900, 600)])
    const retry = page.getByRole('button', { name: t('kyc.photo.retryNamed', { name: 'third.jpg' }) })
    await retry.waitFor()
    expect(await page.getByRole('button', { name: t('kyc.submit') }).isDisabled()).toBe(true)
    await page.unroute('**/kyc/photos')
    await retry.click()
    await expect.poll(() => retry.count()).toBe(0)
    const removed = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await page.getByRole('button', { name: t('kyc.photo.removeNamed', { name: 'third.jpg' }) }).click()
    await removed

    // Pending uploads are shown again after a reload; invalid files are not.
    await page.reload()
    await page.getByText(t('kyc.photo.waitingName', { number: 2 })).waitFor()
    await expect.poll(() => received(page).count()).toBe(2)
    expect(await page.locator('li [role=alert]').count()).toBe(0)
  },
)

test.each(languagesUnderTest('en'))(
  'officers view, review and decide a case, and the applicant sees the decision (%s)',
  async (language) => {
    const t = wordsOf(language)
    const [applicant, officer] = [await join(product), await join(product)]
    await makeOfficer(product, officer)
    const session = await product.post('members/login', { email: applicant, password: goodPassword })
    const { token } = (await session.json()) as { token: string }
    const name = `Looked at in ${language}`
    const body = {
      ...anApplicant(applicant),
      firstName: name,
      photoUrls: [await aPicture('jpeg', { width: 800, height: 600 })],
    }
    expect((await product.post('kyc/create', body, { 'x-access-token': token })).status).toBe(201)

    const { page } = await aVisitor(product.url)
    await signIn(page, language, officer)
    await page.getByRole('link', { name: t('layout.account.console'), exact: true }).click()
    await page
      .getByRole('navigation')
      .getByRole('link', { name: t('console.nav.identity') })
      .click()
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('button', { name: t('review.take') }).click()
    await page.getByText(t('review.mine')).waitFor()
    const shape = () =>
      page.locator('[role=group] > img').evaluate((img: HTMLImageElement) => img.naturalWidth)
    await expect.poll(shape).toBe(800)
    // Assigning a case to oneself starts the review.
    await page.locator('article').getByText(t('review.state.inReview'), { exact: true }).first().waitFor()
    await approveOnPage(page, t, { name, photos: 1 })
    await page.getByText(t('review.event.photoAccepted', { number: 1, name: officer })).waitFor()
    await page
      .getByRole('link', { name: t('review.back') })
      .first()
      .click()
    await page.locator('tbody').getByText(t('review.state.approved')).waitFor()

    const theirs = await aVisitor(product.url)
    await signIn(theirs.page, language, applicant)
    await theirs.page.goto('/kyc')
    await theirs.page.getByText(t('kyc.status.approved.text')).waitFor()
    await theirs.page
      // Chinese characters have no space between them.
      .getByText(new RegExp(t('kyc.views.photo', { name: t('kyc.views.officer') }).replaceAll(' ', ' ?')))
      .first()
      .waitFor()
  },
)
