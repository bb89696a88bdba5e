import type { FastifyReply, FastifyRequest } from 'fastify'
import { KIB } from '#contract/fields.ts'
import { makeCachedBody, sendCached, type CachedBody } from './cached-body.ts'
import { cheap, quick } from './compress.ts'
import type { KeptAnswers } from './kept-answers.ts'

/** More than pages ask for: whoever asks for ever other selections of that size gets what costs little. */
const largeFromBytes = 64 * KIB
/** Whoever asks for what somebody else's turn has not come for asks for themselves. */
const patience = 50

type How = { topics: readonly string[]; client: string; isShared: boolean }
type Made = { json: string; headers: Readonly<Record<string, string>> }
type Kept = { body: CachedBody; headers: Made['headers'] }

/** There are ever other spellings of an address, as of a query: they drive out only one another. */
const keyOf = (url: string) => (/%|\/(?:\?|$)/.test(url) ? `call? ${url}` : `call ${url}`)

/** The JSON that is kept for the call at an address. */
export const keptJson = (kept: KeptAnswers, url: string): Buffer | undefined =>
  kept.peek(keyOf(url))?.identity

/** How the API answers calls that are the same for everybody: kept by their addresses as they were asked. */
export function answerFrom(kept: KeptAnswers) {
  async function makeKept(make: () => Promise<Made>, isExact: boolean): Promise<Kept> {
    const { json, headers } = await make()
    const level = json.length < largeFromBytes ? quick : cheap
    const more = { level, isShortLived: true, isCompressedLater: isExact }
    const body = makeCachedBody('application/json; charset=utf-8', json, more)
    return { body, headers }
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { topics, client, isShared }: How,
    make: () => Promise<Made>,
  ): Promise<FastifyReply> => {
    const key = keyOf(request.url)
    const isExact = topics.some((topic) => topic !== 'content')
    const makeNow = () => makeKept(make, isExact)
    const entry = isShared
      ? kept.get(key, { topics, client, isExact, patience, make: makeNow, bodyOf: ({ body }) => body })
      : { client, value: makeNow() }
    const { body, headers } = await entry.value.catch((failure: unknown) => {
      // Somebody else's turn did not come: that is no reason against this client.
      if (entry.client === client) throw failure
      return makeNow()
    })
    void reply.headers({ ...headers, vary: 'Accept-Encoding' })
    // What was made for one alone is compressed already where it is what everybody gets.
    const same = isShared ? undefined : kept.peek(key)
    return sendCached(request, reply, same?.etag === body.etag ? same : body)
  }
}
