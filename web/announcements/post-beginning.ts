const descriptionLength = 160

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
const decode = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)

/** Returns the first words of sanitized HTML, for link previews. */
export function beginningOf(html: string): string {
  const text = decode(html.slice(0, 20 * descriptionLength).replaceAll(/<[^>]*>?/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = [...text]
  return letters.length <= descriptionLength
    ? text
    : `${letters
        .slice(0, descriptionLength - 1)
        .join('')
        .trim()}…`
}

/** The first picture hosted on this site that states its dimensions. */
export function firstPictureOf(
  html: string,
): { path: string; width: number; height: number; alt: string } | null {
  for (const [tag] of html.matchAll(/<img\b[^>]*>/g)) {
    const value = (attribute: string) => decode(new RegExp(`\\s${attribute}="([^"]*)"`).exec(tag)?.[1] ?? '')
    const [path, width, height] = [value('src'), Number(value('width')), Number(value('height'))]
    if (path.startsWith('/assets/') && width > 0 && height > 0)
      return { path, width, height, alt: value('alt') }
  }
  return null
}
