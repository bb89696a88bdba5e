import type { FastifyLoggerOptions } from 'fastify'
import type { PinoLoggerOptions } from 'fastify/types/logger.js'
import type { Config } from '../config/config.ts'
import { describeError } from '../text/describe-error.ts'
import { Sentence } from '../text/sentence.ts'

/** Fields that a log line may have in addition to its sentence. Everything else is left out. */
const named = new Set(
  (
    'request reqId method route status statusCode ms step job code name error err mail kind attempts post count setting ' +
    'order coin failure release pieces cause delivery webhook trouble problem part ' +
    // The embedded database, when it starts and stops.
    'dataDir directory version pid port from to reason'
  ).split(' '),
)

/** IDs, codes, file paths, and route patterns; never an email address. */
const isPlain = (text: string): boolean => /^[\w .:*/\\+(),~-]{0,200}$/.test(text)

/**
 * A log without personal data and secrets: fields by an allowlist, errors as `describeError` describes them,
 * and sentences written in our code. A `Sentence` is kept unchanged; of any other text only plain words are,
 * because the framework puts request addresses into some of its messages.
 */
export function loggerOptions({
  logLevel,
}: Pick<Config, 'logLevel'>): FastifyLoggerOptions & PinoLoggerOptions {
  return {
    level: logLevel,
    base: null,
    // The framework binds the request ID; its request and reply are objects full of headers.
    serializers: { req: () => ({}), res: () => ({}), err: (error) => error as never },
    formatters: { log: allowed },
    hooks: {
      logMethod(words, method) {
        const [first, second] = words as unknown[]
        if (first instanceof Sentence) return method.call(this, first.text)
        if (hasSentence(first)) return method.call(this, first, first.sentence.text)
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
  if (Array.isArray(value)) return value.map(safe)
  if (typeof value === 'string') return isPlain(value) ? value : '(withheld)'
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : '(withheld)'
}

const isMessageOfError = (fields: object, sentence: unknown): boolean =>
  Object.values(fields).some((value) => value instanceof Error && value.message === sentence)

const hasSentence = (fields: unknown): fields is { sentence: Sentence } =>
  typeof fields === 'object' && fields !== null && 'sentence' in fields && fields.sentence instanceof Sentence

/** The framework's own message about the address that it listens on. */
const listening = /^Server listening at https?:\/\/[\d.:[\]a-f]{3,60}$/

/** Words, as in our own sentences; numbers, addresses, and identifiers would come from elsewhere. */
function sentenceOf(given: unknown): string {
  if (typeof given === 'string' && listening.test(given)) return given
  const sentence = typeof given === 'string' ? given.replaceAll(/\S*\/\S*/g, '(address)') : ''
  return /^[A-Za-z_ ,.:;'()-]{1,200}$/.test(sentence) ? sentence : 'failed'
}
