import type { OfficialSign } from '#contract/publishing/official.ts'

export type Sign = { sign: OfficialSign; detail: string; ours: string }

export const signOf = (sign: OfficialSign, detail = '', ours = ''): Sign => ({
  sign,
  detail: cut(detail, 120),
  ours: cut(ours, 120),
})

const shownMax = 300
const cut = (text: string, max: number): string => {
  const signs = [...written(text)]
  return signs.length > max ? `${signs.slice(0, max).join('')}…` : signs.join('')
}

/** Direction marks and spaces that copying from a page adds at either end. */
const marks = /^[\s\u200e\u200f\ufeff\u200b]+|[\s\u200e\u200f\ufeff\u200b]+$/g
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
const control = /\p{Cc}/u
const nameOf = (sign: string) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`

/** Returns the text with invisible characters written out. */
const written = (text: string): string =>
  text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, nameOf)

/**
 * Returns the text without invisible characters and with every letter in its plain form, along with signs of what was
 * changed.
 */
export function cleanText(given: string): { text: string; shown: string; signs: Sign[] } {
  const trimmed = given.toWellFormed().replaceAll(marks, '')
  const signs: Sign[] = []
  const found = [...trimmed]
  const bidi = found.find((each) => turning.test(each))
  const hidden = found.find((each) => unseen.test(each) && !turning.test(each))
  // Browsers remove line breaks and tabs from an address.
  const broken = /\S[\t\r\n\p{Cc}]+\S/u.test(trimmed) && found.find((each) => control.test(each))
  if (bidi) signs.push(signOf('bidi', nameOf(bidi)))
  if (hidden) signs.push(signOf('invisible', nameOf(hidden)))
  else if (broken && isOneAddress(trimmed)) signs.push(signOf('invisible', nameOf(broken)))
  const seen = trimmed
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .replaceAll(/\p{Cc}+/gu, isOneAddress(trimmed) ? '' : ' ')
  const wide = seen.match(/[\uff01-\uff5e\u3002\uff61]+/u)
  // Browsers treat the Chinese full stop as a dot in an address.
  const dotted = seen.replaceAll(/[\u3002\uff61]/gu, '.')
  const plain = dotted.normalize('NFKC')
  if (wide) signs.push(signOf('full_width', wide[0], wide[0].normalize('NFKC')))
  else if (isStyled(dotted)) signs.push(signOf('styled', dotted, plain))
  return { text: plain.trim(), shown: cut(trimmed, shownMax), signs }
}

const isOneAddress = (text: string): boolean => /^[a-z][a-z\d+.-]*[\t\r\n]*:|^\S*[\t\r\n]\S*$/i.test(text)

/** Whether the text contains styled letters such as 𝗰 or ⓒ. Composed accents and half-width characters don't count. */
const isStyled = (text: string): boolean =>
  [...text].some(
    (each) =>
      /[\p{L}\p{N}\p{So}\p{P}]/u.test(each) &&
      each.normalize('NFKC') !== each &&
      /^[a-z\d./@:-]+$/i.test(each.normalize('NFKC')),
  )
