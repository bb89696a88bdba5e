const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** Returns the text of sanitized HTML. Blocks are separated by spaces, inline tags are not. */
export const textOfHtml = (html: string): string =>
  html
    .replaceAll(/<\/?(?:strong|b|em|i|u|s|del|code|sub|sup|span|a)(?:\s[^>]*)?>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
