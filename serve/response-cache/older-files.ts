import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { isNameOfBuilt, typeOfBuilt } from '../built-files.ts'
import { makeCachedBody, type CachedBody } from './cached-body.ts'
import type { ResponseCache } from './response-cache.ts'

const decompress = promisify(brotliDecompress)

/** The store of files from other releases. */
export type OlderFiles = {
  listNames(): Promise<readonly string[]>
  read(name: string): Promise<{ form: 'plain' | 'br'; bytes: Buffer } | undefined>
}

/** Minimum number of milliseconds between two listings, which limits the cost of made-up names. */
const pauseDefault = 250

/**
 * Serves files of releases that are running on other instances or ran recently. An open page requests the files it was
 * rendered with, and any instance may receive the request.
 */
export function makeOlderFiles(
  { listNames, read }: OlderFiles,
  responseCache: ResponseCache,
  pause = pauseDefault,
) {
  let known: ReadonlySet<string> = new Set()
  let listing: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function list(): Promise<void> {
    known = new Set(await listNames())
  }

  /**
   * Waits for a listing that starts after the request, because instances store their files before any page refers to
   * them.
   */
  function refreshListing(): Promise<void> {
    next ??= (listing ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        next = undefined
        const begun = list()
        listing = begun
          .catch(() => {})
          .then(() => new Promise((resolve) => setTimeout(resolve, pause).unref()))
        return begun
      })
    return next
  }

  async function make(file: string): Promise<CachedBody | undefined> {
    const found = await read(file)
    if (!found) return undefined
    if (found.form === 'plain') return makeCachedBody(typeOfBuilt(file), found.bytes)
    const body = makeCachedBody(typeOfBuilt(file), await decompress(found.bytes))
    body.forms.br = found.bytes
    return body
  }

  return {
    async find(file: string): Promise<CachedBody | undefined> {
      if (!isNameOfBuilt(file)) return undefined
      if (!known.has(file)) await refreshListing()
      if (!known.has(file)) return undefined
      const how = { topics: [], client: '', make: () => make(file), bodyOf: (body?: CachedBody) => body }
      return responseCache.get(`built file ${file}`, how).value
    },
  }
}
