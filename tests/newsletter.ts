import { api } from '#contract/api.ts'
import type { NewsChoice } from '#contract/publishing/newsletter.ts'
import { anEmail } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'

let clients = 0
/** Each call comes from a different client. */
export const anIp = () => `10.77.${(++clients >> 8) & 255}.${clients & 255}`

export const choice = (fields: Partial<NewsChoice> = {}) => ({
  language: 'en' as const,
  categories: ['News', 'Technical Updates', 'Events', 'Partnerships'],
  rhythm: 'each' as const,
  ...fields,
})

export const subscribe = (started: TestApi, email: string, fields: Partial<NewsChoice> = {}) =>
  started.call(api.subscribeToNews, { body: { email, ...choice(fields) } }, { ip: anIp() })

/** Returns the fragment of the link. */
export const codeIn = ({ text }: { text: string }): string => /#([\w.-]+)/.exec(text)![1]!

export const rowOf = ({ services }: TestApi, email: string) =>
  services.db.selectFrom('subscriber').selectAll().where('email', '=', email).executeTakeFirst()

export type Reader = { email: string; token: string }

/** A confirmed subscriber. */
export async function aReader(started: TestApi, fields: Partial<NewsChoice> = {}): Promise<Reader> {
  const email = anEmail()
  await subscribe(started, email, fields)
  const code = codeIn((await started.mailsTo(email)).at(-1)!)
  const { body } = await started.call(api.confirmSubscription, { body: { code } }, { ip: anIp() })
  return { email, token: body.token }
}
