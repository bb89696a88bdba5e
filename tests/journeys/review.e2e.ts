import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import type { exportKycCase } from '#contract/people/kyc-export.ts'
import reasons from '#content/facts/review-reasons.json' with { type: 'json' }
import { staffName } from '#web/kernel/i18n/staff-name.ts'
import { startReviewDesk, type ReviewDesk } from '#tests/setup/a-review-desk.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

const phone = { width: 390, height: 844 }
const olderCases = 30

let desk: ReviewDesk

beforeAll(async () => {
  desk = await startReviewDesk(olderCases)
}, 60_000)

afterAll(async () => {
  await desk.stop()
})

const rows = (page: Page) => page.locator('tbody tr')
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')
const transform = (page: Page) =>
  page.locator('[role=group] > img').evaluate((img: HTMLImageElement) => img.style.transform)

test.each(languagesUnderTest('en'))(
  'the queue keeps its filter in the address, is read page by page, and restores its position (%s)',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const page = await desk.anOfficer(language)
    await page.goto('/console/identity')
    await expect.poll(() => rows(page).count()).toBe(25)
    await expectAccessible(page)
    await expectToFit(page)
    await page.getByRole('button', { name: t('console.list.next') }).click()
    await page.waitForURL('**page=2')
    const last = page.getByRole('link', { name: 'Older 1', exact: true })
    await last.waitFor()

    // The page of the queue and the row are restored, even after a reload of the case.
    await last.click()
    await page.getByRole('heading', { level: 1, name: 'Older 1', exact: true }).waitFor()
    await page.goBack()
    await expect.poll(() => last.evaluate((link) => link === document.activeElement)).toBe(true)
    await last.click()
    await page.waitForURL('**/console/identity?case=*')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Older 1', exact: true }).waitFor()
    await page.getByRole('link', { name: t('review.back') }).click()
    await last.waitFor()

    await page.getByRole('searchbox').fill('Older 17')
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(page.url()).toContain('q=Older+17')
    await page.getByRole('button', { name: t('console.list.filters.set', { count: 1 }), exact: true }).click()
    await page.getByRole('combobox', { name: t('review.assignee'), exact: true }).selectOption('me')
    await page.getByText(t('console.list.nothing'), { exact: true }).waitFor()
    expect(page.url()).toContain('assignee=me')
    await page.goBack()
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(await page.getByRole('searchbox').inputValue()).toBe('Older 17')
    // A no-break space joins a number and its Chinese unit.
    const [row] = (await rows(page).allTextContents()).map((text) => text.replaceAll('\u{A0}', ' '))
    expect(row).toContain(t('review.late', { age: t('review.age.days', { count: 10 }) }))
  },
)

test.each(languagesUnderTest('en'))(
  'several cases are assigned at once, except those of a colleague (%s)',
  async (language) => {
    const t = wordsOf(language)
    const ids = [await desk.aCase(`Many ${language} one`), await desk.aCase(`Many ${language} two`)]
    const [page, other] = [await desk.anOfficer(language), await desk.anOfficer(language, { second: true })]
    await other.goto(`/console/identity?case=${ids[1]}`)
    await other.getByRole('button', { name: t('review.take') }).click()
    await other.getByText(t('review.mine')).waitFor()
    await page.goto(`/console/identity?q=Many+${language}`)
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole('checkbox', { name: t('console.list.selectAll') }).check()
    await page.getByRole('button', { name: t('review.bulk.assign') }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel(t('review.assignee'), { exact: true })
      .selectOption({ label: t('review.assignee.me') })
    await dialog.getByText(t('console.list.bulk.wont', { count: 1 })).waitFor()
    await expectAccessible(page)
    await expectToFit(page)
    await dialog.getByRole('button', { name: t('review.bulk.assign.confirm') }).click()
    await rows(page).filter({ hasText: 'one' }).getByText('Officer 1').waitFor()
    await rows(page).filter({ hasText: 'two' }).getByText('Officer 2').waitFor()
  },
)

test.each(languagesUnderTest('cn'))(
  'a case is rejected with the keyboard alone, and the next one is offered (%s)',
  async (language) => {
    const t = wordsOf(language)
    const [name, after] = [`Keys ${language}`, `Keys ${language} next`]
    await desk.aCase(name, [
      [800, 600],
      [500, 900],
    ])
    await desk.aCase(after)
    const page = await desk.anOfficer(language)
    await page.goto(`/console/identity?q=Keys+${language}`)
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.keyboard.press('j')
    await expect.poll(() => focused(page)).toBe(name)
    await page.keyboard.press('Enter')
    await page.getByText(t('review.nobody')).waitFor()
    await page.keyboard.press('t')
    await page.getByText(t('review.mine')).waitFor()
    // A key press must not review a picture that has not loaded.
    const picture = page.locator('[role=group] > img')
    await picture.waitFor()
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: t('review.photo.of', { number: 2, count: 2 }) }).waitFor()
    await picture.waitFor()

    // A refusal requires a reason first. Inside a field, shortcut keys type letters.
    await page.keyboard.press('r')
    const why = page.getByLabel(t('review.photo.reason'))
    await expect.poll(() => why.count()).toBe(1)
    await page.keyboard.type('a blurred one')
    expect(await why.inputValue()).toBe('a blurred one')
    await page.getByRole('button', { name: t('review.photo.refuse') }).press('Enter')
    await page
      .getByRole('button', {
        name: t('review.photo.named', { number: 2, verdict: t('review.photo.refused') }),
      })
      .waitFor()

    await page.keyboard.press('x')
    const reason = page.getByRole('textbox', { name: t('review.reason'), exact: true })
    await expect.poll(() => reason.count()).toBe(1)
    await page.getByLabel(t('review.reason.template'), { exact: true }).last().selectOption('expired')
    const ready = reasons.find(({ id }) => id === 'expired')!
    // The reason is sent in the applicant's language.
    expect(await reason.inputValue()).toBe(ready.en.text)
    await page.getByRole('button', { name: t('review.reject.do') }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(ready.en.text).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('review.confirm.reject.do') }).press('Enter')
    await page.getByText(t('review.done.rejected')).waitFor()
    await expect.poll(() => focused(page)).toContain(t('review.done.next', { name: after }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: after }).waitFor()
    await page.getByText(t('review.nobody')).waitFor()
  },
)

test.each(languagesUnderTest('cn'))(
  'a case is approved with the keyboard alone, and the shortcuts can be switched off (%s)',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const name = `Approved by keys ${language}`
    const id = await desk.aCase(name)
    const page = await desk.anOfficer(language)
    await page.goto(`/console/identity?case=${id}`)
    await page.getByText(t('review.nobody')).waitFor()
    const picture = page.locator('[role=group] > img')
    // Nothing is approved unseen.
    await page.keyboard.press('p')
    await page.keyboard.press('Enter')
    await page.getByText(t('review.approve.first.photos')).waitFor()
    await picture.waitFor()
    await page.keyboard.press('a')
    await page.getByText(t('review.approve.first.photos')).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: t('review.screening.read'), exact: true }).press('Enter')
    // The history shows it in the same words.
    const before = page.getByRole('status').filter({ hasText: t('review.approve.first.screening') })
    await before.waitFor({ state: 'detached' })
    await page.keyboard.press('p')
    await expect.poll(() => focused(page)).toContain(t('review.approve.do'))
    await page.keyboard.press('Enter')
    const approval = page.getByRole('dialog', { name: t('review.confirm.approve', { name }) })
    await expectAccessible(page)
    await approval.getByRole('button', { name: t('review.confirm.approve.do', { name }) }).press('Enter')
    await page.getByText(t('review.done.approved')).waitFor()

    // The keyboard shortcuts are listed, and can be switched off.
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByLabel(t('console.keys.on'), { exact: true }).uncheck()
    await page.getByRole('button', { name: t('forms.close') }).click()
    await page.keyboard.press('u')
    expect(page.url()).toContain('case=')
  },
)

/** The print dialog opens with the whole case in place of the page, which is back once the dialog closes. */
async function expectPrintedCase(
  page: Page,
  t: ReturnType<typeof wordsOf>,
  exported: OutputOf<typeof exportKycCase>,
) {
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printing', '')
  })
  await page.getByRole('button', { name: t('review.export.print') }).click()
  await page.locator('body[data-printing]').waitFor()
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('body > article')
  const text = await sheet.innerText()
  for (const wanted of [exported.case.email, ...exported.audit.map(({ hash }) => hash)])
    expect(text).toContain(wanted)
  expect(await sheet.locator('img').count()).toBe(exported.pictures.length)
  expect(await page.locator('body > :not(article):visible').count()).toBe(0)
  expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
  await page.emulateMedia({ media: null })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect.poll(() => sheet.count()).toBe(0)
}

/** Found by label. A reviewer who finally rejected a similar application is not offered an approval. */
const choiceOf = (page: Page, label: string) => page.getByRole('radio', { name: new RegExp(`^${label}`) })

test.each(languagesUnderTest('en'))(
  'two officers work on one case: the second sees what happened and loses nothing typed (%s)',
  async (language) => {
    const t = wordsOf(language)
    const id = await desk.aCase(`Met ${language}`)
    const [one, two] = [
      await desk.anOfficer(language),
      await desk.anOfficer(language, { second: true, viewport: phone }),
    ]
    for (const page of [one, two]) {
      await page.goto(`/console/identity?case=${id}`)
      await page.getByText(t('review.nobody')).waitFor()
    }
    await choiceOf(two, t('review.more')).check()
    await two.getByRole('textbox', { name: t('review.reason'), exact: true }).fill('Both sides, please.')
    await one.getByRole('button', { name: t('review.take') }).click()
    await one.getByText(t('review.mine')).waitFor()
    await two.getByRole('button', { name: t('review.more.do') }).click()
    const alert = two
      .getByRole('alert')
      .filter({ hasText: t('review.conflict.taken', { name: 'Officer 1' }) })
    await alert.getByText('Both sides, please.').waitFor()
    await expectAccessible(two)
    await expectToFit(two)

    await two.getByRole('button', { name: t('review.takeOver') }).click()
    await two
      .getByRole('dialog')
      .getByRole('button', { name: t('review.takeOver.confirm') })
      .click()
    await two.getByText(t('review.mine')).waitFor()
    expect(await two.getByRole('textbox', { name: t('review.reason'), exact: true }).inputValue()).toBe(
      'Both sides, please.',
    )

    // A final rejection requires both reviewers.
    await choiceOf(two, t('review.final')).check()
    await two.getByRole('button', { name: t('review.final.propose') }).click()
    await two
      .getByRole('dialog')
      .getByRole('button', { name: t('review.confirm.propose.do') })
      .click()
    await two.getByText(t('review.done.proposed')).waitFor()
    await one.reload()
    const name = staffName(`Officer 2 (${desk.officers[1]})`, language)
    // In Chinese, no space follows a full-width bracket.
    await one.getByText(t('review.finalProposed', { name }).replace('） ', '）')).waitFor()
    await choiceOf(one, t('review.final')).check()
    await one.getByRole('textbox', { name: t('review.reason'), exact: true }).fill('Not genuine.')
    await one.getByRole('button', { name: t('review.final.do') }).click()
    await one
      .getByRole('dialog')
      .getByRole('button', { name: t('review.confirm.final.do') })
      .click()
    await one.getByText(t('review.done.rejected')).waitFor()
  },
)

test.each(languagesUnderTest('cn'))(
  'photos are rotated and magnified, and the case is exported (%s)',
  async (language) => {
    const t = wordsOf(language)
    const id = await desk.aCase(`Seen ${language}`, [
      [1600, 1000],
      [600, 900],
    ])
    const page = await desk.anOfficer(language)
    await page.goto(`/console/identity?case=${id}`)
    const stage = page.getByRole('group', { name: t('review.photo', { number: 1 }) })
    await stage.locator('img').waitFor()
    await expect.poll(() => transform(page)).toContain('rotate(0deg)')
    const whole = await transform(page)
    await page.getByRole('button', { name: t('review.photo.turn') }).click()
    expect(await transform(page)).toContain('rotate(90deg)')
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('o')
    expect(await transform(page)).toBe(whole)
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    const magnified = await transform(page)
    expect(magnified).not.toBe(whole)
    await stage.press('ArrowRight')
    expect(await transform(page)).not.toBe(magnified)
    const box = (await stage.boundingBox())!
    await page.mouse.move(box.x + 100, box.y + 100)
    const before = await transform(page)
    await page.mouse.down()
    await page.mouse.move(box.x + 130, box.y + 110)
    await page.mouse.up()
    expect(await transform(page)).not.toBe(before)
    await page.keyboard.press('0')
    expect(await transform(page)).toBe(whole)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -200)
    await page.keyboard.up('Control')
    await expect.poll(() => transform(page)).not.toBe(whole)
    await page.keyboard.press(']')
    await page.getByRole('heading', { name: t('review.photo.of', { number: 2, count: 2 }) }).waitFor()
    await expectAccessible(page)
    await expectToFit(page)
    await page.setViewportSize(phone)
    await expectAccessible(page)

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('review.export.json') }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(new RegExp(`${id.slice(0, 8)}\\.json$`))
    const exported = JSON.parse(await readFile(await file.path(), 'utf8')) as OutputOf<typeof exportKycCase>
    expect(exported.case._id).toBe(id)
    await page.getByText(t('review.export.done')).waitFor()
    await expectPrintedCase(page, t, exported)
    await page.getByText(t('review.views', { count: 5 })).waitFor()
  },
)
