import type { FastifyInstance } from 'fastify'
import type { Problem } from '#contract/platform/errors.ts'
import { languages, siteLanguages, type Language } from '#contract/platform/languages.ts'
import { checkOfficial, type OfficialAnswer, type PostedCheck } from '#contract/publishing/official.ts'

/** Checks on behalf of a client who submitted a form without JavaScript, so that the client's limits apply. */
export const checkInProcess =
  (app: FastifyInstance, base: string, appId: string) =>
  async (
    text: string,
    { ip, language }: { ip: string; language: Language },
  ): Promise<{ posted: PostedCheck; status: number; retryAfter?: string | undefined }> => {
    const answer = await app.inject({
      method: 'POST',
      url: base + checkOfficial.path,
      remoteAddress: ip,
      headers: {
        'x-app-id': appId,
        'accept-language': siteLanguages[languages.includes(language) ? language : 'en'].tag,
      },
      payload: { text },
    })
    const { statusCode: status } = answer
    if (status === 200) return { posted: { answer: answer.json<OfficialAnswer>() }, status }
    const retryAfter = answer.headers['retry-after']?.toString()
    return { posted: { problem: answer.json<Problem>().message, text }, status, retryAfter }
  }
