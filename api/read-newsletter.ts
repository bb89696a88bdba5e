import type { DigestTime } from '#contract/newsletter.ts'
import type { SettingReader } from './environment/setting-reader.ts'

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

export type NewsletterSettings = {
  /** Number of newsletter emails sent per minute, over all instances. */
  newsletterPerMinute: number
  /** Weekday and time at which the weekly digest is sent. */
  digestTime: DigestTime
}

export const readNewsletter = ({ given, refuse, wholeNumber, oneOf }: SettingReader): NewsletterSettings => ({
  newsletterPerMinute: wholeNumber('NEWSLETTER_PER_MINUTE', 600, 1, 60_000),
  digestTime: {
    day: 1 + weekdays.indexOf(oneOf('NEWSLETTER_DIGEST_DAY', weekdays, 'monday')),
    hour: wholeNumber('NEWSLETTER_DIGEST_HOUR', 9, 0, 23),
    zone: readZone(given('NEWSLETTER_TIME_ZONE') ?? 'UTC', () =>
      refuse(
        'NEWSLETTER_TIME_ZONE',
        'must be the name of a time zone such as Europe/Zurich or Asia/Shanghai',
      ),
    ),
  },
})

function readZone(zone: string, refuse: () => never): string {
  // Only time zone names are accepted: PostgreSQL and JavaScript interpret the sign of an offset differently.
  if (!/^[A-Za-z][\w+/-]*$/.test(zone)) return refuse()
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return refuse()
  }
}
