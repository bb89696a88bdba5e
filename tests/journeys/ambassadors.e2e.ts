import sharp from 'sharp'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spaceDate } from '#contract/platform/languages.ts'
import { nameOfLanguage } from '#web/ambassadors/own/spoken-languages.ts'
import { anEmail, aSignedInMember, goodPassword } from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { signInByCall } from '#tests/setup/sign-in.ts'
import { waysUnderTest } from '#tests/setup/sizes.ts'
import { startWithDatabase, type Opened } from '#tests/setup/start-with-database.ts'
import { wordsOf } from '#tests/setup/words.ts'

let opened: Opened
beforeAll(async () => {
  // All visitors are on one machine, so those who are invited send a different IP address.
  opened = await startWithDatabase({ TRUST_PROXY: 'loopback' })
})
afterAll(() => opened.close())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

test.each(waysUnderTest('en'))(
  'an application becomes an ambassador whose page is a badge, and who sees how many they brought ($language, $size)',
  async ({ language, size, screen }) => {
    const t = wordsOf(language)
    const { product, db } = opened
    const prefix = language === 'cn' ? '/cn' : ''
    const surname = size === 'phone' ? 'Lindqvist' : 'Strand'
    const name = `${language === 'cn' ? '林示例' : 'Sample'} ${surname}`
    const email = anEmail()
    const mail = async (to: string, kind: string) => {
      const sent = async () => (await product.mailsTo(to)).filter((each) => each.kind === kind)
      await expect.poll(async () => (await sent()).length).toBe(1)
      return (await sent())[0]!
    }
    const linkIn = ({ text }: { text: string }, part: string) =>
      text.split(/\s+/).find((word) => word.startsWith('http') && word.includes(part))!

    // The reader of the page applies with the form.
    const { page } = await aVisitor(product.url, screen)
    await page.goto(`${prefix}/ambassador-program#apply`)
    const form = page.getByRole('form', { name: t('ambassador.form.heading') })
    const field = (of: string) => form.getByLabel(t(`ambassador.form.${of}.label`))
    await field('email').fill(email)
    await field('name').fill(name)
    await field('city').fill(language === 'cn' ? '奥斯陆' : 'Oslo')
    await field('country').fill(language === 'cn' ? '挪威' : 'Norway')
    await field('social').fill('https://social.example/sample，@sample、 sample.example')
    await field('why').fill('Two evenings a month at the library, for whoever asks.')
    await form.getByRole('button', { name: t('ambassador.form.submit') }).click()
    await heading(page, t('ambassador.thanks.heading')).waitFor()
    await checkPage(page)

    // The confirmation email links to the status and the date, and to nothing else.
    const status = linkIn(await mail(email, 'ambassador-received'), '/status/')
    await page.goto(status)
    await page.getByText(t('ambassadorStatus.received'), { exact: true }).waitFor()
    await checkPage(page)
    const told = await page.getByRole('main').innerText()
    for (const hidden of [email, name, 'library']) expect(told).not.toContain(hidden)

    // A staff member accepts and sees the comma-separated list split into entries.
    const { page: board } = await aVisitor(product.url, screen)
    const staff = await aSignedInMember(opened.api, { manage_employee: 2 })
    await signInByCall(board, product, language, staff.email)
    await board.goto('/console/ambassadors')
    await board.getByRole('link', { name }).waitFor()
    await checkPage(board)
    await board.getByRole('link', { name }).click()
    await heading(board, name).waitFor()
    await board.getByRole('link', { name: /^https:\/\/social\.example\/sample\b/ }).waitFor()
    for (const each of ['@sample', 'sample.example']) await board.getByText(each, { exact: true }).waitFor()
    await checkPage(board)
    await board.getByRole('button', { name: t('consoleAmbassadors.review') }).click()
    await board.getByRole('button', { name: t('consoleAmbassadors.accept') }).click()
    const dialog = board.getByRole('dialog')
    await checkPage(board)
    await dialog.getByRole('button', { name: t('consoleAmbassadors.accept.label') }).click()
    await board.getByText(t('consoleAmbassadors.invited')).waitFor()

    await page.goto(status)
    await page.getByText(t('ambassadorStatus.accepted'), { exact: true }).waitFor()

    // The invitation requires an account.
    await page.goto(linkIn(await mail(email, 'ambassador-invited'), '/account/ambassador'))
    await page.waitForURL('**/login/signin')
    await page
      .getByRole('main')
      .getByRole('link', { name: t('layout.signin.toSignup') })
      .click()
    await page.waitForURL('**/login/signup')
    await signUpHere(page, email)
    await page.waitForURL('**/account/ambassador')
    await page.getByRole('button', { name: t('ambassadorAccount.join') }).waitFor()
    await checkPage(page)
    await page.getByRole('button', { name: t('ambassadorAccount.join') }).click()

    // The profile, in one language and with a picture, awaits review.
    const own = (label: string) => page.getByLabel(t(`ambassadorAccount.form.${label}`))
    const wrote = language === 'cn' ? 'Cn' : 'En'
    await page.locator('input[type="file"]').setInputFiles([await aPortrait()])
    await page.getByRole('img', { name: t('ambassadorAccount.form.picture.alt') }).waitFor()
    await own(`name${wrote}`).fill(name)
    await own(`place${wrote}`).fill(language === 'cn' ? '挪威奥斯陆' : 'Oslo, Norway')
    await own(`sentence${wrote}`).fill(
      language === 'cn' ? '每月在图书馆答疑两次。' : 'Answers at the library, twice a month.',
    )
    await own('spoken.add').selectOption('no')
    await own('spoken.add').selectOption('sv')
    await own('link').fill('https://social.example/sample')
    await checkPage(page)
    await page.getByRole('button', { name: t('ambassadorAccount.form.submit') }).click()
    await page.getByText(t('ambassadorAccount.state.submitted'), { exact: true }).waitFor()
    await checkPage(page)

    // A reviewer completes the other language and approves.
    await board.goto('/console/ambassadors/profiles')
    await board.getByRole('link', { name }).waitFor()
    await checkPage(board)
    await board.getByRole('link', { name }).click()
    await heading(board, name).waitFor()
    const other = language === 'cn' ? 'En' : 'Cn'
    for (const label of ['name', 'place', 'sentence'])
      await board
        .getByLabel(t(`consoleAmbassadorProfiles.field.${label}${other}`))
        .fill(label === 'name' ? `Other ${surname}` : `Sample ${label}`)
    await checkPage(board)
    await board.getByRole('button', { name: t('consoleAmbassadorProfiles.approve') }).click()
    // The heading of the published part may contain the same text.
    const standing = board.getByText(t('consoleAmbassadorProfiles.standing.public'), { exact: true })
    await standing.and(board.locator('span')).waitFor()
    await checkPage(board)

    // They are on the page, and their verification page says since when, also without JavaScript.
    const badge = new URL(linkIn(await mail(email, 'ambassador-profile-approved'), '/ambassadors/')).pathname
    await page.goto(`${prefix}/ambassador-program`)
    const entry = page.getByRole('listitem').filter({ has: heading(page, name) })
    await entry.getByRole('link', { name: t('ambassador.list.badge') }).waitFor()
    await checkPage(page)
    const { page: plain } = await aVisitor(product.url, { ...screen, javaScriptEnabled: false })
    await plain.goto(`${prefix}/ambassador-program`)
    await plain
      .getByRole('listitem')
      .filter({ has: heading(plain, name) })
      .getByRole('link', { name: t('ambassador.list.badge') })
      .click()
    await heading(plain, name).waitFor()
    expect(new URL(plain.url()).pathname).toBe(badge)
    const dates = new Intl.DateTimeFormat(language === 'cn' ? 'zh-Hans' : 'en', {
      dateStyle: 'long',
      timeZone: 'UTC',
    })
    const today = spaceDate(dates.format(new Date()))
    await plain.getByText(t('ambassadorBadge.is', { name, date: today })).waitFor()
    const portrait = plain.getByRole('main').locator('img')
    expect(
      await portrait.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth),
    ).toBeGreaterThan(0)
    await entry.getByRole('link', { name: t('ambassador.list.badge') }).click()
    await page.getByText(nameOfLanguage('sv', language), { exact: false }).first().waitFor()
    await checkPage(page)

    // A person who follows the link is counted, but not named, once the week is over.
    await page.goto(`${prefix}/ambassador-program#apply`)
    await page
      .getByRole('main')
      .getByRole('link', { name: inLink(t('ambassador.form.own')) })
      .click()
    await page.getByRole('figure').nth(1).waitFor()
    await checkPage(page)
    const invitation = await page.getByText('/login/signup?invitation=').innerText()
    const invited = anEmail()
    const { page: guest } = await aVisitor(product.url, {
      ...screen,
      extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.7' },
    })
    await guest.goto(prefix || '/')
    await guest.goto(invitation)
    await checkPage(guest)
    await signUpHere(guest, invited)
    await guest.waitForURL('**/account/**')
    await sql`update ambassador set created_at = created_at - interval '7 days'`.execute(db)
    await sql`update invitation_week set week = week - 7`.execute(db)
    await sql`update ambassador_point set week = week - 7`.execute(db)
    await page.reload()
    const figure = (words: string, count: number) =>
      page.getByRole('img', { name: `${t(`ambassadorAccount.results.${words}`)}: ${count}.` })
    await figure('signUps', 1).waitFor()
    await figure('activations', 1).waitFor()
    await figure('identities', 0).waitFor()
    await page.getByText(t('ambassadorAccount.results.table')).click()
    await checkPage(page)
    expect(await page.getByRole('main').innerText()).not.toContain(invited)

    /** Like a person: sign-up, emailed link, sign-in. */
    async function signUpHere(at: Page, address: string): Promise<void> {
      const submit = at.getByRole('button', { name: t('login.signup.submit') })
      // On a busy machine the script may load while the fields are being filled in.
      const isFilled = async () => {
        await at.getByLabel(t('forms.email.label'), { exact: true }).fill(address)
        await at.getByLabel(t('login.signup.password.label'), { exact: true }).fill(goodPassword)
        await at.getByLabel(t('login.signup.confirm.label'), { exact: true }).fill(goodPassword)
        return submit.isEnabled()
      }
      await expect.poll(isFilled).toBe(true)
      await submit.click()
      await at.waitForURL('**/login/activate')
      await at.goto(linkIn(await mail(address, 'activation'), 'activate'))
      await at.getByRole('button', { name: t('login.activate.submit'), exact: true }).click()
      await at.waitForURL('**/login/signin')
      await at.getByLabel(t('login.signin.password.label'), { exact: true }).fill(goodPassword)
      await at.getByRole('button', { name: t('login.signin.submit') }).click()
    }
  },
)

/** Returns the part of a message that is its link. */
const inLink = (message: string) => /<link>(.+)<\/link>/.exec(message)![1]!

const aPortrait = async () => ({
  name: 'portrait.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 1200, channels: 3, background: '#7a8b6f' } })
    .jpeg()
    .toBuffer(),
})
