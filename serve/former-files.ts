import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { isNameOfBuilt, typeOfBuilt } from './built-files.ts'
import { makeCachedBody, type CachedBody } from './cached-body.ts'
import type { KeptAnswers } from './kept-answers.ts'

const decompress = promisify(brotliDecompress)

/** Where the files of other releases are kept. */
export type FormerFiles = {
  listNames(): Promise<readonly string[]>
  read(name: string): Promise<{ form: 'plain' | 'br'; bytes: Buffer } | undefined>
}

/** Between two looks at which files there are: whoever makes names up costs this much, and no more. */
const pauseDefault = 250

/**
 * The files of the releases that other instances run, or that ran here lately: a page that a browser has asks for those that it
 * was rendered with, whichever instance answers.
 */
export function makeFormerFiles({ listNames, read }: FormerFiles, kept: KeptAnswers, pause = pauseDefault) {
  let known: ReadonlySet<string> = new Set()
  let listing: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function list(): Promise<void> {
    known = new Set(await listNames())
  }

  /** A list that was begun after the question: an instance keeps its files before any page names them. */
  function lookAgain(): Promise<void> {
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
      if (!known.has(file)) await lookAgain()
      if (!known.has(file)) return undefined
      const how = { topics: [], client: '', make: () => make(file), bodyOf: (body?: CachedBody) => body }
      return kept.get(`built file ${file}`, how).value
    },
  }
}
