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
