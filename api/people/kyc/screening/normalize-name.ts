import { whenUsed } from '../../../platform/when-used.ts'

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

const letters = ' abcdefghijklmnopqrstuvwxyz0123456789'
/** Further repetitions of a pair carry no information. */
const timesMax = 4

export const codesMax = letters.length ** 2 * timesMax

/**
 * Returns the letter pairs within words and the first letter of each, so that neither the order of words nor most
 * spaces matter. Each pair is a number, in ascending order; repetitions of a pair get different numbers.
 */
export function pairsOf(words: readonly string[]): Uint16Array {
  const times = new Uint8Array(letters.length ** 2)
  const codes: number[] = []
  const add = (one: number, two: number) => {
    const pair = one * letters.length + two
    if (times[pair] === timesMax) return
    codes.push(pair * timesMax + times[pair]!)
    times[pair]! += 1
  }
  for (const word of words) {
    let before = 0
    for (const letter of word) {
      const code = letters.indexOf(letter)
      add(before, code)
      before = code
    }
  }
  return Uint16Array.from(codes).sort()
}

/** Returns the share of common pairs, from 0 to 1 (Dice’s coefficient). */
export function shareOf(one: Uint16Array, other: Uint16Array): number {
  let shared = 0
  for (let a = 0, b = 0; a < one.length && b < other.length;) {
    const difference = one[a]! - other[b]!
    if (difference === 0) shared += 1
    if (difference <= 0) a += 1
    if (difference >= 0) b += 1
  }
  return (2 * shared) / Math.max(1, one.length + other.length)
}

const known = new Map<string, string>()
const knownMax = 50_000

/** Returns a Latin word without the differences between transliterations and spellings of the same sound. */
export function phoneticKey(word: string): string {
  const found = known.get(word)
  if (found !== undefined) return found
  const folded = fold(word) || word
  if (known.size >= knownMax) known.clear()
  known.set(word, folded)
  return folded
}

const fold = (word: string): string =>
  word
    .replaceAll('ph', 'f')
    .replaceAll(/sch(?!e)/g, 'sh')
    .replaceAll('tch', 'ch')
    .replaceAll(/ck|q/g, 'k')
    .replaceAll(/c(?![ehiy])/g, 'k')
    .replaceAll(/[kg]h/g, 'h')
    .replaceAll(/ou|oo/g, 'u')
    .replaceAll(/([aou])e/g, '$1')
    .replaceAll('ee', 'i')
    .replaceAll(/(?<=[aeiou])j|j(?=[^aeiou]|$)/g, 'i')
    .replaceAll('y', 'i')
    .replaceAll('w', 'v')
    .replaceAll(/ie/g, 'e')
    .replaceAll(/(.)\1+/g, '$1')

/** Surnames that are read differently from the same character elsewhere. */
const readings: Readonly<Record<string, string>> = {
  单: 'shan',
  單: 'shan',
  仇: 'qiu',
  解: 'xie',
  查: 'zha',
  盖: 'ge',
  蓋: 'ge',
  朴: 'piao',
  区: 'ou',
  區: 'ou',
  缪: 'miao',
  繆: 'miao',
  乐: 'yue',
  樂: 'yue',
  覃: 'qin',
  种: 'chong',
  翟: 'zhai',
  洗: 'xian',
  员: 'yun',
  員: 'yun',
  召: 'shao',
  繁: 'po',
  折: 'she',
  秘: 'bi',
  隗: 'wei',
  葛: 'ge',
  任: 'ren',
  曾: 'zeng',
  尹: 'yin',
  纪: 'ji',
  宁: 'ning',
  谌: 'chen',
  哈: 'ha',
  万俟: 'moqi',
  尉迟: 'yuchi',
  长孙: 'zhangsun',
  澹台: 'tantai',
}

const compound = new Set(
  '欧阳 歐陽 司马 司馬 上官 诸葛 諸葛 东方 東方 皇甫 尉迟 公孙 公孫 慕容 司徒 令狐 夏侯 宇文 长孙 南宫 万俟 澹台 轩辕 淳于 单于 太史 申屠 端木 独孤 赫连 呼延 鲜于 钟离 西门 百里 东郭 闻人 濮阳 公冶 宗政 仲孙 闾丘 司空 拓跋'.split(
    ' ',
  ),
)

const isCompoundSurname = (signs: string): boolean => compound.has(signs)
const readSurname = (signs: string): string | undefined => readings[signs]
