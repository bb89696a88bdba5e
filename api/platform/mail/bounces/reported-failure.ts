import type { MailFailure } from '../mail-failure.ts'

/** What a report says about the delivery of one email. `isForGood`: no later attempt would succeed. */
export type Report = { failure: MailFailure; isForGood: boolean }

/** The enhanced status (RFC 3463) at the beginning of a text. */
export const enhancedStatusIn = (text: string): string | undefined =>
  /^([245])\.\d{1,3}\.\d{1,3}\b/.exec(text)?.[0]

/** The answer of a mail server, as in `550 5.1.1 User unknown`. */
const serverAnswer = /^([45]\d\d)(?:[ -]([45]\.\d{1,3}\.\d{1,3})\b)?/

/** Reads the codes of a report. Nothing else is kept, because the server's text may contain the address. */
export function readReportedFailure(
  status: string | undefined,
  answer: string,
  isForGood: boolean,
): MailFailure {
  const said = serverAnswer.exec(answer)
  // `5.0.0` is less specific than the server's own answer.
  const enhanced = status === undefined || status.endsWith('.0.0') ? (said?.[2] ?? status) : status
  const error = said?.[1] ?? (isForGood ? '550' : '450')
  return { error, ...(enhanced !== undefined && { enhanced }), step: 'REPORT' }
}
