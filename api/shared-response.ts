import type { FastifyReply, FastifyRequest } from 'fastify'

/** What a call answers, before it is compressed. */
export type Made = { json: string; headers: Readonly<Record<string, string>> }

type How = {
  /** What the answer depends on. */
  topics: readonly string[]
  client: string
  /** Whether the answer may be one that was made for somebody else, and may be given to others. */
  isShared: boolean
}

/**
 * Answers what is the same for everybody until one of the topics changes: 304 to whoever has it already, else in the smallest
 * encoding that they take. Passed in, because it is kept together with pages, which the API does not know.
 */
export type AnswerForEverybody = (
  request: FastifyRequest,
  reply: FastifyReply,
  how: How,
  make: () => Promise<Made>,
) => Promise<FastifyReply>

/** Whoever sends one of these gets an answer of their own, also where it is the same as everybody's. */
const credentials = ['x-access-token', 'x-phone-secret', 'authorization'] as const

export const isStranger = ({ headers }: FastifyRequest): boolean =>
  credentials.every((name) => headers[name] === undefined)
