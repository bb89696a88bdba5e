import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Language } from '#contract/platform/fields.ts'
import { anApplicant, anEmail } from '#tests/builders.ts'
import { approveOnPage } from '#tests/setup/approve-case.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { join, signIn } from '#tests/setup/sign-in.ts'
import { waysUnderTest } from '#tests/setup/sizes.ts'
import { sampleAccount, type SampleAccount } from '#tests/setup/sample-accounts.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

let product: Product
let officer: SampleAccount
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
  officer = await sampleAccount(product, 'admin')
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

const photo = async (name: string, background: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer(),
})

async function addPhoto(page: Page, file: Awaited<ReturnType<typeof photo>>, count: number): Promise<void> {
  await page.locator('input[name=photoId]').setInputFiles([file])
  await expect.poll(() => page.locator('li [role=status]').count(), { timeout: 60_000 }).toBe(count)
}

/** Opens the case of this person on a reviewer's screen. */
async function openCase(language: Language, name: string): Promise<Page> {
  const { page } = await aVisitor(product.url)
  await signIn(page, language, officer.email, officer.password)
  await page.goto('/console/identity')
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  return page
}

test.each(waysUnderTest('en'))(
  'what was refused is asked for once more, answered in the same case, and approved ($language, $size)',
  async ({ language, screen }) => {
    const t = wordsOf(language)
    const name = `Sample ${anEmail().split('@')[0]}`
    const [why, question] = [`Blurred: ${name}`, `Please send the back once more, ${name}.`]
    const email = await join(product)
    const { page } = await aVisitor(product.url, screen)
    await signIn(page, language, email)
    await page.goto('/kyc')
    await page.getByLabel(t('kyc.fullName'), { exact: true }).fill(name)
    await page.getByLabel(t('kyc.dateOfBirth'), { exact: true }).fill('1990-01-31')
    await page.getByLabel(t('kyc.ethAddress'), { exact: true }).fill(anApplicant(email).ethAddress)
    await addPhoto(page, await photo('front.jpg', '#a98'), 1)
    await addPhoto(page, await photo('back.jpg', '#89a'), 2)
    await page.getByRole('button', { name: t('kyc.submit'), exact: true }).click()
    await page.getByText(t('kyc.status.submitted.text')).waitFor()

    // One photo is accepted, the other one is refused with a reason, and the applicant is asked for more.
    const desk = await openCase(language, name)
    await desk.getByRole('button', { name: t('review.take') }).click()
    await desk.getByText(t('review.mine')).waitFor()
    await page.reload()
    await page.getByText(t('kyc.status.inReview.text')).waitFor()
    await desk.getByRole('button', { name: t('review.photo.accept') }).click()
    await desk.getByRole('heading', { name: t('review.photo.of', { number: 2, count: 2 }) }).waitFor()
    await desk.getByRole('button', { name: t('review.photo.refuse') }).click()
    await desk.getByLabel(t('review.photo.reason')).fill(why)
    await desk.getByRole('button', { name: t('review.photo.refuse') }).click()
    await desk
      .getByRole('button', {
        name: t('review.photo.named', { number: 2, verdict: t('review.photo.refused') }),
      })
      .waitFor()
    await desk.getByRole('radio').nth(1).check()
    await desk.getByRole('textbox', { name: t('review.reason'), exact: true }).fill(question)
    await desk.getByRole('button', { name: t('review.more.do') }).click()
    await desk.getByText(t('review.done.more')).waitFor()

    // The request is above the form, which asks only for what was refused.
    await page.reload()
    await page.getByText(t('kyc.status.moreInfo.text')).waitFor()
    await page.getByText(question).first().waitFor()
    await checkPage(page)
    await page.getByRole('button', { name: t('kyc.answer'), exact: true }).click()
    await page.getByRole('heading', { name: t('kyc.answer.heading') }).waitFor()
    await page.getByText(question).first().waitFor()
    await page.getByText(why).first().waitFor()
    await page.getByText(t('kyc.answer.kept', { count: 1 })).waitFor()
    expect(await page.getByLabel(t('kyc.fullName'), { exact: true }).inputValue()).toBe(name)
    await checkPage(page)
    await addPhoto(page, await photo('back-again.jpg', '#9a8'), 1)
    await page.getByRole('button', { name: t('kyc.answer.submit') }).click()
    await page
      .getByText(t('kyc.status.submitted.text'))
      .or(page.getByText(t('kyc.status.inReview.text')))
      .waitFor()
    await checkPage(page)

    // The same case, with the request and both submissions.
    const again = await openCase(language, name)
    await again.getByText(question).first().waitFor()
    await checkPage(again)
    expect((await product.mailsTo(email)).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['kyc-submitted', 'kyc-more-info']),
    )
    await approve(again, t, name)
    await page.reload()
    await page.getByText(t('kyc.status.approved.text')).waitFor()
    await checkPage(page)
    expect((await product.mailsTo(email)).map(({ kind }) => kind)).toContain('kyc-approved')
  },
)

/** The accepted photo stays accepted; the new one is reviewed. */
async function approve(page: Page, t: ReturnType<typeof wordsOf>, name: string): Promise<void> {
  const take = page.getByRole('button', { name: t('review.take') })
  if (await take.isVisible()) await take.click()
  await page.getByText(t('review.mine')).waitFor()
  const third = { number: 3, verdict: t('review.photo.open') }
  await page.getByRole('button', { name: t('review.photo.named', third) }).click()
  await page.getByRole('heading', { name: t('review.photo.of', { number: 3, count: 3 }) }).waitFor()
  await page.getByRole('button', { name: t('review.photo.accept') }).click()
  await approveOnPage(page, t, { name, photos: 0 })
}
