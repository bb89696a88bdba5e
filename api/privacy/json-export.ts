import { Readable } from 'node:stream'
import type { Part, PartName, Source } from '../module.ts'

/** Streams one object with all parts: only one page of rows, or the pictures of one entry, are in memory at a time. */
export const jsonExport = (parts: readonly [PartName, Part][], source: Source): Readable =>
  Readable.from(jsonOf(parts, source))

async function* jsonOf(parts: readonly [PartName, Part][], source: Source): AsyncIterable<string> {
  yield `{"exportedAt":${JSON.stringify(new Date())}`
  for (const [name, { isList, read }] of parts) {
    let count = 0
    if (isList) yield `,"${name}":[`
    for await (const entry of read(source)) {
      if (isList) yield `${count > 0 ? ',' : ''}${JSON.stringify(entry)}`
      else if (count === 0) yield `,"${name}":${JSON.stringify(entry)}`
      count += 1
    }
    if (isList) yield ']'
  }
  yield '}'
}
