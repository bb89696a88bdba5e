import { whenUsed } from '../../when-used.ts'
import { foldSound } from './phonetic-key.ts'
import { isCompoundSurname, readSurname } from './han-surnames.ts'
import { pairsOf } from './letter-pairs.ts'

const anyAscii = whenUsed((require) => require('any-ascii') as typeof import('any-ascii'))

/** A name as it is compared: Latin words in small letters, and the Han characters that they stand for, if any. */
export type Form = {
  words: readonly string[]
  han: string
  /** The letter pairs of the words as they are spelt, and as they sound. */
  spelt: Uint16Array
  sound: Uint16Array
}
export type Folded = {
  forms: readonly Form[]
  /** Not the whole name can be compared: it is too long, or written without what its sound needs. */
  isPartial: boolean
}

/** Letters after unfolding: one sign may stand for eighteen (U+FDFA). Work on a name grows with this number alone. */
export const lettersMax = 200
const namesMax = 3

const isHan = /[\p{Script=Han}々〇]/u
/** Written without vowels. */
const isWithoutVowels = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** Combining marks, and what is invisible, part no letters. */
const ignored = /[\p{M}\p{Cf}'’ʼʻ‘`´]/u

/**
 * The ways in which a name is compared. Spaces do not part Han characters; where both scripts stand in one field, each is a name of its
 * own beside the whole.
 */
export function foldName(name: string): Folded {
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
      // A space or a dot: it may stand within a name of Han characters.
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

/** A word of one script with letters of another that look the same is meant to be read, and not to be found. */
function withoutLookalikes(word: string): string {
  const isMixed = /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)
  if (!isMixed) return word
  return [...word.toLowerCase()].map((letter) => lookalikes.get(letter) ?? letter).join('')
}

const formOf = (words: string[], han = ''): Form => ({
  words,
  han,
  spelt: pairsOf(words),
  sound: pairsOf(words.map(foldSound)),
})

/** The surname stands first, and some are read in a way of their own. */
function formOfHan(han: string): Form {
  const signs = [...han]
  const length = signs.length > 2 && isCompoundSurname(signs[0]! + signs[1]!) ? 2 : 1
  const surname = signs.slice(0, length).join('')
  const given = signs.slice(length).join('')
  return formOf([readSurname(surname) ?? inLatin(surname), inLatin(given)].filter(Boolean), han)
}
