import { decoded } from './read-link.ts'

const digit = '[\\d\\uff10-\\uff19]'
const chinese = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'

/**
 * Chinese punctuation that ends a word if browsers don't treat it as part of an address. The full stop does so next to
 * Chinese text or nothing: between letters of an address it is a dot. Brackets may be part of a number.
 */
const between = new RegExp(
  `[，、；！？【】〈〉『』…]+|。(?=$|[\\s\\p{P}${chinese}])|(?<=^|[\\s\\p{P}${chinese}])。|：(?![/／])|` +
    `（(?!${digit}|\\+)|(?<!${digit})）`,
  'u',
)

/** Whether the text contains anything that someone could read or follow. */
export const hasReadableText = (text: string): boolean => /[\p{L}\p{N}.@:/]/u.test(text)

/**
 * Splits a text at characters that can't be in an address; parts may contain spaces, as numbers and display names do.
 */
export const partsOf = (text: string): string[] => text.split(between).filter(hasReadableText)

/** Splits a part into words. */
export const piecesOf = (part: string): string[] => part.split(/[\s<>"“”「」《》|]+|\]\(/u)

/** Splits a piece without spaces where further links start: `text](https://…`, `或者https://…`. */
export const innerOf = (piece: string): string[] =>
  piece
    .split(/(?=(?:https?|hxxps?|ftp|wss?):)|\]\(|(?<=\S)(?=(?:mailto|tel|tg|bitcoin|ethereum):)/i)
    .filter(hasReadableText)

/** Whether the text is only a link: no second one in its path, nor characters after which a text would continue. */
export function isWhole(pasted: string): boolean {
  const link = refanged(unwrapped(pasted)).replace(/^(?:[a-z][a-z\d+.-]*:)?[/\\]{2}/i, '')
  const rest = /[/?#].*$/s.exec(link)?.[0] ?? ''
  if (!/^[\w\-.~%!$&'*+=:@/?#]*$/.test(rest)) return false
  let seen = rest
  for (let turn = 0; turn < 3; turn += 1) {
    if (/:\/|\/\/[^/]*\.|\]\(|https?:|[\\\s]|[^\p{ASCII}]/iu.test(seen)) return false
    seen = decoded(seen)
  }
  return true
}

/** Restores addresses such as `hxxps://coin[.]example`, written so that no one follows them. */
export const refanged = (text: string): string =>
  text
    .replace(/^hxxp/i, 'http')
    .replaceAll(/\[(?:\.|dot)\]|\((?:\.|dot)\)|\{\.\}/gi, '.')
    .replaceAll(/\[(?:@|at)\]|\(at\)/gi, '@')

/** Removes quotes and brackets around a text, and punctuation after it. */
export const unwrapped = (text: string): string =>
  text
    .replace(/^[\s"'“”‘’«»「」《([]+/u, '')
    .replace(/[\s"'“”‘’«»「」》,;:!?、，；：！？]+$/u, '')
    .replace(/^<([^<>@]+)>$/, '$1')
    .replace(/(?<=[^\s.])\.$/, '')
    .replace(/(?<=^[^(]*)\)$/, '')
    .replace(/(?<=^[^[]*)\]$/, '')
