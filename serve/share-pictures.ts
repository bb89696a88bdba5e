import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '#contract/platform/fields.ts'
import type { FoundPicture } from '#web/entry.server.tsx'

/** The share picture of a page: its own, otherwise the common one, otherwise the English one, otherwise none. */
export function sharePictures(root: string): (name: string, language: Language) => FoundPicture | null {
  const folder = join(root, 'content/media/share')
  return (name, language) => {
    for (const [shown, spoken] of [
      [name, language],
      ['site', language],
      [name, 'en'],
      ['site', 'en'],
    ] as const) {
      const file = `${shown}-${spoken}.png`
      if (existsSync(join(folder, file)))
        return { path: `/assets/share/${file}`, ...sizeOfPng(join(folder, file)), isOwn: shown === name }
    }
    return null
  }
}

/** The first chunk of a PNG is its header: width and height at bytes 16 and 20 (RFC 2083, 11.2.2). */
function sizeOfPng(file: string): { width: number; height: number } {
  const header = Buffer.alloc(24)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, header)
  closeSync(descriptor)
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}
