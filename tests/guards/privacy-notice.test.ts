import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readConfig } from '#api/platform/config/config.ts'
import { stalePhotosAge } from '#api/people/kyc/kyc.rules.ts'
import { retention } from '#api/people/members/retention.ts'
import { deviceLife } from '#api/people/sessions/known-device.queries.ts'
import cn from '#content/messages/cn/legal.json'
import en from '#content/messages/en/legal.json'
import emailsCn from '#content/emails/cn.json'
import emailsEn from '#content/emails/en.json'
import { answerLinkDays, contactDays } from '#contract/people/conversations.ts'
import { DAY } from '#contract/platform/durations.ts'
import { notificationDays } from '#contract/platform/notifications.ts'
import notificationsCn from '#content/messages/cn/notifications.json'
import notificationsEn from '#content/messages/en/notifications.json'
import archiveCn from '#content/privacy/cn.json'
import archiveEn from '#content/privacy/en.json'
import { aMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* The privacy notice and the emails must match the code, so its numbers are checked here. When one of them changes,
   update the sentence and the notice's date in content/brand.json. */

const inYears = (time: number) => time / (365.25 * DAY)

test('the privacy notice counts the cookies of a signed-in browser', async () => {
  const started = await startApi()
  const { cookies } = await aMember(started)
  expect(Object.keys(cookies).toSorted()).toEqual(['XSRF-TOKEN', 'device', 'refresh'])
  expect(en['legal.privacy.visit.paragraph3']).toContain('three cookies')
  expect(cn['legal.privacy.visit.paragraph3']).toContain('三个 Cookie')
  expect(deviceLife).toBe(180 * DAY)
  expect(en['legal.privacy.visit.paragraph3']).toContain('180 days')
  expect(cn['legal.privacy.visit.paragraph3']).toContain('180 天')
})

test('it says what is kept of a read: nothing but totals, by what the table has', async () => {
  const { services } = await startApi()
  const { rows } = await sql<{ column: string }>`
    select column_name as "column" from information_schema.columns
    where table_name = 'read_count' order by ordinal_position`.execute(services.db)
  expect(rows.map(({ column }) => column)).toEqual(['day', 'kind', 'item', 'language', 'referrer', 'reads'])
  expect(en['legal.privacy.visit.paragraph5']).toMatch(
    /without cookies.+IP address, the name of the browser, the page, and a random value.+deleted shortly after the end of the day.+only totals by day, page, language, and referring site/,
  )
  expect(cn['legal.privacy.visit.paragraph5']).toMatch(
    /不使用 Cookie.+IP 地址、浏览器标识、所读页面和一个随机值.+即删除.+只保留按日期、页面、语言和来源网站汇总/,
  )
})

test('the notice, the notifications page, and the data export state how long notifications are kept', () => {
  expect(notificationDays).toBe(180)
  expect(en['legal.privacy.account.paragraph1']).toContain('notifications in your account for 180 days')
  expect(cn['legal.privacy.account.paragraph1']).toMatch(/通知.*保存 180 天/)
  for (const words of [notificationsEn, notificationsCn])
    expect(words['notifications.lead']).toMatch(/180 (?:days|天)/)
  for (const { files } of [archiveEn, archiveCn])
    expect(files.accountNotifications).toMatch(/last 180 days|最近 180 天/)
})

test('it names the periods that the pictures and the rest of an application are kept for', () => {
  const { kycRetention } = readConfig({})
  expect(Math.round(inYears(kycRetention))).toBe(5)
  expect(inYears(retention)).toBe(5)
  expect(stalePhotosAge).toBe(30 * DAY)
  expect(en['legal.privacy.kyc.paragraph3']).toMatch(
    /30 days after the rejection.+5 years after approval.+5 years after you close/,
  )
  expect(cn['legal.privacy.kyc.paragraph3']).toMatch(/30 天后销毁.+自通过之日起保存五年/)
  expect(en['legal.privacy.kyc.paragraph4']).toMatch(/final rejection.+5 years.+proposed.+5 years/i)
  expect(cn['legal.privacy.kyc.paragraph4']).toMatch(/最终拒绝.+五年.+最终拒绝的提议.+五年/)
})

test('it names how long an application of an ambassador is kept that was declined, or not answered', () => {
  expect(readConfig({}).ambassadorPatience).toBe(365 * DAY)
  expect(en['legal.privacy.ambassador.paragraph1']).toMatch(/don’t answer, we delete everything 1 year after/)
  expect(cn['legal.privacy.ambassador.paragraph1']).toMatch(/满一年时删除/)
  expect(readConfig({}).ambassadorRetention).toBe(180 * DAY)
  expect(en['legal.privacy.ambassador.paragraph1']).toContain('180 days')
  expect(cn['legal.privacy.ambassador.paragraph1']).toContain('180 天')
  expect(en['legal.privacy.ambassador.paragraph2']).toMatch(/invitation that isn’t accepted.+180 days/)
  expect(cn['legal.privacy.ambassador.paragraph2']).toMatch(/你未接受的邀请.+180 天/)
})

test('it names how long messages of visitors and attachments are kept', () => {
  const { messageAttachmentRetention, contactRetention } = readConfig({})
  expect(messageAttachmentRetention).toBe(180 * DAY)
  expect(contactRetention).toBe(365 * DAY)
  expect(contactDays).toBe(7)
  expect(en['legal.privacy.messages.paragraph1']).toContain('180 days')
  expect(cn['legal.privacy.messages.paragraph1']).toContain('180 天')
  expect(en['legal.privacy.messages.paragraph2']).toMatch(/within 7 days.+1 year after/)
  expect(cn['legal.privacy.messages.paragraph2']).toMatch(/7 天内.+满一年/)
  for (const emails of [emailsEn, emailsCn])
    expect(JSON.stringify(emails['contact-confirm'])).toMatch(/within 7 days|7 天内/)
  expect(answerLinkDays).toBe(30)
  for (const emails of [emailsEn, emailsCn])
    expect(JSON.stringify(emails['contact-answer'])).toMatch(/within 30 days|30 天内/)
})

test('an email that announces the destruction of documents says when, in both languages', () => {
  const announcing = Object.entries(emailsEn).filter(([, mail]) =>
    /we’ll permanently delete the documents|permanently delete them/i.test(JSON.stringify(mail)),
  )
  expect(announcing.length).toBeGreaterThan(0)
  for (const [kind, mail] of announcing) {
    expect(JSON.stringify(mail), `en ${kind}`).toMatch(/30 days/)
    expect(JSON.stringify(emailsCn[kind as keyof typeof emailsCn]), `cn ${kind}`).toMatch(
      /30 天后?[^。]*销毁/,
    )
  }
})
