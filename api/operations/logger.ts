import type { FastifyLoggerOptions } from 'fastify'
import type { PinoLoggerOptions } from 'fastify/types/logger.js'
import type { Config } from '../config.ts'
import { describeError } from '../describe-error.ts'

/** What a line of the log may carry besides its sentence. Everything else is left out. */
const named = new Set(
  (
    'request reqId method route status statusCode ms step job code name error err mail kind attempts post count setting ' +
    // The embedded database, when it starts and stops.
    'dataDir directory version pid port from to reason'
  ).split(' '),
)

/** Ids, codes, paths of files and patterns of routes; an e-mail address is none of them. */
const isPlain = (text: string): boolean => /^[\w .:*/\\+(),~-]{0,200}$/.test(text)

/**
 * A log without personal data and secrets: fields by an allow-list, errors as `describeError` tells them, and sentences
 * that stand in the code. The framework puts addresses of requests into some of its sentences; they are cut out.
 */
export function loggerOptions({
  logLevel,
}: Pick<Config, 'logLevel'>): FastifyLoggerOptions & PinoLoggerOptions {
  return {
    level: logLevel,
    base: null,
    // The framework binds the id of the request; its request and reply are objects full of headers.
    serializers: { req: () => ({}), res: () => ({}), err: (error) => error as never },
    formatters: { log: allowed },
    hooks: {
      logMethod(words, method) {
        const [first, second] = words as unknown[]
        if (typeof first !== 'object' || first === null) return method.call(this, sentenceOf(first))
        const fields = first instanceof Error ? { error: first } : first
        method.call(this, fields, isMessageOfError(fields, second) ? 'failed' : sentenceOf(second))
      },
    },
  }
}

function allowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields))
    if (named.has(name)) kept[name] = isError(name) ? describeError(value) : safe(value)
  return kept
}

const isError = (name: string): boolean => name === 'error' || name === 'err'

function safe(value: unknown): unknown {
  if (typeof value === 'string') return isPlain(value) ? value : '(withheld)'
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : '(withheld)'
}

const isMessageOfError = (fields: object, sentence: unknown): boolean =>
  Object.values(fields).some((value) => value instanceof Error && value.message === sentence)

/** Words, as in our own sentences; a number, an address or an identifier would have come from elsewhere. */
function sentenceOf(given: unknown): string {
  const sentence = typeof given === 'string' ? given.replaceAll(/\S*\/\S*/g, '(address)') : ''
  return /^[A-Za-z_ ,.:;'()-]{1,200}$/.test(sentence) ? sentence : 'failed'
}
