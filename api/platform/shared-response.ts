import type { FastifyReply, FastifyRequest } from 'fastify'

/** The response of an endpoint, before compression. */
type Made = { json: string; headers: Readonly<Record<string, string>> }

type How = {
  /** Topics that the response depends on. */
  topics: readonly string[]
  client: string
  /** Whether the response may come from, and be stored in, the shared cache. */
  isShared: boolean
}

/**
 * Sends a response that is the same for every client until one of the topics changes: 304 if the client already has it,
 * otherwise in the smallest encoding that the client accepts. Passed in as a dependency, because it shares its cache
 * with pages, which the API doesn't know.
 */
export type AnswerForEverybody = (
  request: FastifyRequest,
  reply: FastifyReply,
  how: How,
  make: () => Promise<Made>,
) => Promise<FastifyReply>

/** Headers that exclude a request from the shared cache, even if its response would be the same. */
const credentials = ['x-access-token', 'x-phone-secret', 'authorization'] as const

export const isStranger = ({ headers }: FastifyRequest): boolean =>
  credentials.every((name) => headers[name] === undefined)
