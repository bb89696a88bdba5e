const wordsMax = 20
const lengthMin = 4

/** Words that say nothing about the subject. */
const common = new Set(
  'about after before does every from have here into just more most next only other over some than that their them then there these they this those what when where which will with your'.split(
    ' ',
  ),
)

/**
 * Returns the words of a title by which other titles are compared, in lower case. Chinese has no spaces, so any two
 * adjacent characters count as a word.
 */
export function titleWordsOf(title: string): string[] {
  const text = title.normalize('NFKC').toLowerCase()
  const words = [...text.matchAll(/[[\p{L}\p{N}]--\p{Script=Han}]+/gv)]
    .map(([word]) => word)
    .filter((word) => word.length >= lengthMin && !common.has(word))
  const pairs = [...text.matchAll(/\p{Script=Han}{2,}/gu)].flatMap(([run]) => {
    const characters = [...run]
    return characters.slice(1).map((character, at) => characters[at]! + character)
  })
  return [...new Set([...words, ...pairs])].slice(0, wordsMax)
}
