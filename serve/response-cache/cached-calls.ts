import type { FastifyReply, FastifyRequest } from 'fastify'
import { KIB } from '#contract/platform/fields.ts'
import { makeCachedBody, sendCached, type CachedBody } from './cached-body.ts'
import { cheap, quick } from './compress.ts'
import type { ResponseCache } from './response-cache.ts'

/** Larger than any response that pages request. Clients that make up queries of this size get cheap compression. */
const largeFromBytes = 64 * KIB
/** Milliseconds that a client waits for another client's queued request before making its own. */
const patience = 50

type How = { topics: readonly string[]; client: string; isShared: boolean }
type Made = { json: string; headers: Readonly<Record<string, string>> }
type CachedResponse = { body: CachedBody; headers: Made['headers'] }

/** The same query can be spelled in endless ways, and so can a URL, so unusual URLs evict only each other. */
const keyOf = (url: string) => (/%|\/(?:\?|$)/.test(url) ? `call? ${url}` : `call ${url}`)

/** Returns the cached JSON response for an API URL. */
export const cachedJson = (responseCache: ResponseCache, url: string): Buffer | undefined =>
  responseCache.peek(keyOf(url))?.identity

/** Serves API responses that are the same for everyone from the cache, by the requested URL. */
export function answerCallsFrom(responseCache: ResponseCache) {
  async function createCached(make: () => Promise<Made>, isExact: boolean): Promise<CachedResponse> {
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
    const makeNow = () => createCached(make, isExact)
    const entry = isShared
      ? responseCache.get(key, {
          topics,
          client,
          isExact,
          patience,
          make: makeNow,
          bodyOf: ({ body }) => body,
        })
      : { client, value: makeNow() }
    const { body, headers } = await entry.value.catch((failure: unknown) => {
      // Another client's request timed out in the queue, which must not make this client's request fail.
      if (entry.client === client) throw failure
      return makeNow()
    })
    void reply.headers({ ...headers, vary: 'Accept-Encoding' })
    // If the separate response equals the cached one, its compressed forms are reused.
    const same = isShared ? undefined : responseCache.peek(key)
    return sendCached(request, reply, same?.etag === body.etag ? same : body)
  }
}
