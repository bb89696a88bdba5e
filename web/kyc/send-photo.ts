import { SECOND } from '#contract/durations.ts'
import { CallFailed } from '../call/call.ts'
import type { FileProblem, Photo } from './photos.ts'
import { isHeic, readDataUrl } from '../prepare-picture.ts'

/**
 * Maximum number of concurrent uploads, which leaves room on the server for a phone and for others behind the same
 * connection.
 */
const atOnce = 3
const triesMax = 4
const waitMax = 10 * SECOND

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Uploads a photo, queued behind the others. If the server is busy, the upload is retried. */
export async function sendPhoto<T>(
  { name, picture }: Photo,
  stage: (dataUrl: string) => Promise<T>,
): Promise<T> {
  const dataUrl = await readDataUrl(
    picture,
    isHeic({ name, type: picture.type }) ? 'image/heic' : picture.type,
  )
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTurn(() => stage(dataUrl))
    } catch (failure) {
      const wait = failure instanceof CallFailed ? (failure.retryAfterSeconds ?? 0) * SECOND : 0
      if (wait === 0 || wait > waitMax || tries === triesMax) throw failure
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

const problemsByCode: Readonly<Record<string, FileProblem>> = {
  too_long: 'tooLarge',
  picture_too_small: 'tooSmall',
}

/** The server's problem with the file itself; null for any other failure. */
export function fileProblemIn(failure: unknown): FileProblem | 'tooMany' | null {
  if (!(failure instanceof CallFailed) || failure.code !== 'validation_failed') return null
  const code = failure.errors[0]?.code
  return code === 'too_many' ? 'tooMany' : (problemsByCode[code ?? ''] ?? 'unreadable')
}
