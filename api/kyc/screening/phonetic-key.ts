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
