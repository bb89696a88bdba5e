import { SECOND } from '#contract/platform/durations.ts'
import type { MailProvider } from '../../platform/config/read-mail-events.ts'
import type { EventProvider } from './mail-event.ts'
import { postmark } from './postmark.ts'
import { sendgrid } from './sendgrid.ts'
import { makeSes, type FetchText } from './ses.ts'

export type EventProviders = Readonly<Record<MailProvider, EventProvider>>

export const makeEventProviders = (fetchText: FetchText = fetchOnce): EventProviders => ({
  ses: makeSes(fetchText),
  postmark,
  sendgrid,
})

async function fetchOnce(url: URL): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10 * SECOND) })
  if (!response.ok) throw new Error('the provider refused a request')
  return response.text()
}
