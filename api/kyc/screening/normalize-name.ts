import { whenUsed } from '../../when-used.ts'
import { phoneticKey } from './phonetic-key.ts'
import { isCompoundSurname, readSurname } from './han-surnames.ts'
import { pairsOf } from './letter-pairs.ts'

const anyAscii = whenUsed((require) => require('any-ascii') as typeof import('any-ascii'))

/** A name in the form used for comparison: Latin words in lower case, and the original Han characters, if any. */
export type Form = {
  words: readonly string[]
  han: string
  /** Letter pairs of the words as spelled, and as pronounced. */
  spelt: Uint16Array
  sound: Uint16Array
}
export type Folded = {
  forms: readonly Form[]
  /** Whether only part of the name can be compared: it is too long, or its script omits vowels. */
  isPartial: boolean
}

/**
 * Maximum number of letters after normalization, because one character may expand to eighteen (U+FDFA). This alone
 * determines the work per name.
 */
export const lettersMax = 200
const namesMax = 3

const isHan = /[\p{Script=Han}々〇]/u
/** Scripts written without vowels. */
const isWithoutVowels = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** Combining marks and invisible characters, which don't separate letters. */
const ignored = /[\p{M}\p{Cf}'’ʼʻ‘`´]/u

/**
 * Returns the forms in which a name is compared. Spaces don't separate Han characters; if a field contains both
 * scripts, each part is also compared as a separate name.
 */
export function normalizeName(name: string): Folded {
  const { letters, isPartial } = unfold(name)
  const runs: string[] = []
  let other = ''
  let whole = ''
  let run = ''
  const endRun = () => {
    if (run !== '') runs.push(run)
    run = ''
  }
  for (const letter of letters) {
    if (isHan.test(letter)) {
      if (run === '') whole += ' '
      run += letter
      whole += letter
    } else if (/[\p{L}\p{N}]/u.test(letter)) {
      if (run !== '') whole += ' '
      endRun()
      other += letter
      whole += letter
    } else {
      // Adds a space: a space or dot may occur within a name of Han characters.
      other += ' '
      if (run === '') whole += ' '
    }
  }
  endRun()
  const names = [...new Set([runs.join(''), ...runs.filter((each) => each.length > 1)])].filter(Boolean)
  const forms = names.slice(0, namesMax).map(formOfHan)
  const latin = wordsOf(other)
  if (latin.length > 0) forms.push(formOf(latin))
  if (latin.length > 0 && runs.length > 0) forms.push(formOf(wordsOf(whole)))
  const isUnknown = forms.every(({ words }) => words.join('').length < 2)
  return { forms, isPartial: isPartial || isUnknown || letters.some(isWithoutSound) }
}

const isWithoutSound = (letter: string): boolean =>
  /\p{L}/u.test(letter) && (isWithoutVowels.test(letter) || inLatin(letter) === '')

function unfold(name: string): { letters: string[]; isPartial: boolean } {
  const letters: string[] = []
  for (const sign of name.normalize('NFC'))
    for (const letter of sign.normalize('NFKC')) {
      if (ignored.test(letter)) continue
      if (letters.length === lettersMax) return { letters, isPartial: true }
      letters.push(letter)
    }
  return { letters, isPartial: false }
}

const inLatin = (text: string): string =>
  anyAscii()
    .default(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, '')

const wordsOf = (text: string): string[] =>
  text
    .split(' ')
    .map((word) => inLatin(withoutLookalikes(word)).replaceAll(' ', ''))
    .filter(Boolean)

const lookalikes = new Map(
  'аa еe оo рp сc хx уy кk мm тt вb нh іi јj ѕs αa οo ρp νv ιi κk'
    .split(' ')
    .map(([one = '', latin = '']) => [one, latin]),
)

/** Replaces look-alike letters. A word that mixes scripts this way is meant to be readable but not found. */
function withoutLookalikes(word: string): string {
  const isMixed = /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)
  if (!isMixed) return word
  return [...word.toLowerCase()].map((letter) => lookalikes.get(letter) ?? letter).join('')
}

const formOf = (words: string[], han = ''): Form => ({
  words,
  han,
  spelt: pairsOf(words),
  sound: pairsOf(words.map(phoneticKey)),
})

/** The surname comes first, and some surnames have a special reading. */
function formOfHan(han: string): Form {
  const signs = [...han]
  const length = signs.length > 2 && isCompoundSurname(signs[0]! + signs[1]!) ? 2 : 1
  const surname = signs.slice(0, length).join('')
  const given = signs.slice(length).join('')
  return formOf([readSurname(surname) ?? inLatin(surname), inLatin(given)].filter(Boolean), han)
}
