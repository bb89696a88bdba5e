/** The address is percent-encoded: a Chinese character takes nine characters. */
const encodedLengthMax = 270
const slugLengthMax = 80

/**
 * Converts the title to part of an address: letters and digits of any script, in lower case, with hyphens between
 * words.
 */
export function makeSlug(title: string): string {
  const words =
    title
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const characters = [...words.join('-')]
  let slug = ''
  for (const character of characters) {
    const next = slug + character
    if (next.length > slugLengthMax || encodeURIComponent(next).length > encodedLengthMax) break
    slug = next
  }
  return slug.replace(/-+$/, '') || 'post'
}
