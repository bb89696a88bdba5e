import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The loggable part of an error, which contains nothing chosen by whoever caused it. */
type DescribedError = { name: string; code?: string; at: string[]; cause?: DescribedError }

const framesMax = 12
const causesMax = 3
const root = join(import.meta.dirname, '../../..')

/**
 * Returns the class, the code, and our own lines of the stack trace. Never the message or any other property: errors of
 * PostgreSQL contain values of a row, JSON errors the parsed text, framework errors the URL, and any of them may
 * contain decrypted data.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error, at: [] }
  const { code } = error as { code?: unknown }
  return {
    name: nameOf(error),
    ...(isErrorCode(code) ? { code: String(code) } : {}),
    at: framesOf(error),
    ...(error.cause === undefined || depth >= causesMax
      ? {}
      : { cause: describeError(error.cause, depth + 1) }),
  }
}

/** Returns the name of the class, because the property `name` can be set to anything. */
const nameOf = (error: Error): string => {
  const name: unknown = (Object.getPrototypeOf(error) as { constructor?: { name?: unknown } }).constructor
    ?.name
  return typeof name === 'string' && /^[$\w]{1,60}$/.test(name) ? name : 'Error'
}

/** A code of Node or of the framework, a SQLSTATE, an SMTP status, or one of our own error codes. */
export const isErrorCode = (code: unknown): boolean =>
  (typeof code === 'number' && Number.isInteger(code)) ||
  (typeof code === 'string' && /^([A-Z][A-Z0-9_]{1,60}|[0-9A-Z]{5}|[a-z]+(_[a-z]+){0,5})$/.test(code))

/**
 * Returns frames such as `api/money/orders/place-order.ts:12:7`. The message may contain lines that look like this, so it is
 * cut off first.
 */
function framesOf({ stack = '', message }: Error): string[] {
  const end = message === '' ? 0 : stack.indexOf(message) + message.length
  const lines = stack.slice(end).split('\n').slice(1)
  const isWhole = message === '' || stack.includes(message)
  return isWhole ? lines.flatMap(ownPlaceIn).slice(0, framesMax) : []
}

function ownPlaceIn(line: string): string[] {
  const [, file, place] = /^ {4}at (?:.*\()?(.+?):(\d+:\d+)\)?$/.exec(line) ?? []
  if (!file || !place) return []
  const path = file.startsWith('file:') ? pathOf(file) : file
  const isOwn = path.startsWith(`${root}/`) && !path.includes('/node_modules/')
  return isOwn && existsSync(path) ? [`${path.slice(root.length + 1)}:${place}`] : []
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    return ''
  }
}
