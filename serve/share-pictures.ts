import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '#contract/fields.ts'

/** The picture shown where a page is shared: its own, else the one for all, else none. */
export function sharePictures(root: string): (name: string, language: Language) => string | null {
  const has = (file: string): boolean => existsSync(join(root, 'content/media/share', file))
  return (name, language) => {
    const file = [`${name}-${language}.png`, `site-${language}.png`].find(has)
    return file ? `/assets/share/${file}` : null
  }
}
