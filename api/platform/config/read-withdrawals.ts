import { day } from '#contract/platform/fields.ts'
import type { SettingReader } from './setting-reader.ts'

/**
 * The right to withdraw from an order (Regulation (EU) 2023/1114, article 13), as granted by this installation.
 */
export type WithdrawalTerms = {
  /** Calendar days after the order; 0: there is no such right. */
  days: number
  /** Time zone in which days begin and end. */
  timeZone: string
  /** The first day of trading, `2036-05-01`. Later orders can't be withdrawn. */
  tradedSince: string | null
}

export function readWithdrawals(
  { given, refuse, wholeNumber }: Pick<SettingReader, 'given' | 'refuse' | 'wholeNumber'>,
  isDemo: boolean,
): WithdrawalTerms {
  const tradedSince = given('TRADED_SINCE') ?? null
  if (tradedSince !== null && !day.safeParse(tradedSince).success)
    refuse('TRADED_SINCE', 'must be a day such as 2036-05-01')
  return {
    days: wholeNumber('WITHDRAWAL_DAYS', isDemo ? 14 : 0, 0, 90),
    timeZone: readTimeZone(given('WITHDRAWAL_TIME_ZONE') ?? 'UTC', (demand) =>
      refuse('WITHDRAWAL_TIME_ZONE', demand),
    ),
    tradedSince,
  }
}

/** The spelling of the IANA database. */
function readTimeZone(text: string, refuse: (demand: string) => never): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return refuse('must be the name of a time zone, such as UTC or Europe/Paris')
  }
}
