import type { FastifyInstance } from 'fastify'
import type { Problem } from '#contract/platform/errors.ts'
import { languages, siteLanguages, type Language } from '#contract/platform/languages.ts'

/** The client who submitted a form without JavaScript. */
export type FormSender = { ip: string; language: Language }

export type PostedAnswer<Body> = { status: number; retryAfter?: string | undefined } & (
  | { body: Body; problem?: undefined }
  | { problem: Problem }
)

export type PostInProcess = <Body>(
  path: string,
  payload: object,
  sender: FormSender,
) => Promise<PostedAnswer<Body>>

/** Calls the API on behalf of a client who submitted a form without JavaScript, so that the client's limits apply. */
export const postInProcess =
  (app: FastifyInstance, base: string, appId: string): PostInProcess =>
  async <Body>(path: string, payload: object, { ip, language }: FormSender): Promise<PostedAnswer<Body>> => {
    const answer = await app.inject({
      method: 'POST',
      url: base + path,
      remoteAddress: ip,
      headers: {
        'x-app-id': appId,
        'accept-language': siteLanguages[languages.includes(language) ? language : 'en'].tag,
      },
      payload,
    })
    const { statusCode: status } = answer
    if (status < 300) return { body: answer.json<Body>(), status }
    return {
      problem: answer.json<Problem>(),
      status,
      retryAfter: answer.headers['retry-after']?.toString(),
    }
  }
