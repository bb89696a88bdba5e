import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Said } from './find-sample.ts'

/** What the files of a folder `content` say. */
export function saidByFiles(folder: string): Said {
  const read = (file: string): unknown =>
    existsSync(join(folder, file)) ? JSON.parse(readFileSync(join(folder, file), 'utf8')) : undefined
  return {
    brand: read('brand.json'),
    colours: read('colours.json'),
    facts: read,
    words: (language, file) => read(`messages/${language}/${file}.json`) as ReturnType<Said['words']>,
  }
}
