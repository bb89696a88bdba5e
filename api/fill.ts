import brand from '#content/brand.json' with { type: 'json' }

/** Values for placeholders; which ones a sentence needs follows from its English words (`placeholders.ts`). */
export type Values<Placeholder extends string> = Readonly<Record<Placeholder, string | number>>

/** The last argument of a function that fills a sentence: none where the sentence has no placeholder. */
export type ValuesFor<Placeholder extends string> = [Placeholder] extends [never]
  ? []
  : [values: Values<Placeholder>]

/** As the start of the product understands it: anything that is not named for work on it serves the public. */
const isProduction = !['development', 'test'].includes(process.env['NODE_ENV'] ?? '')

const alwaysKnown: Values<string> = { brand: brand.name, ticker: brand.ticker, contact: brand.email }

/**
 * Puts values in place of `{name}`. What stands in a value is never filled. A placeholder that nobody fills is a mistake
 * in the program: readers still get their sentence, everybody else gets an error.
 */
export function fill(text: string, values: Values<string> = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? alwaysKnown[name]
    if (value === undefined) reportUnfilled(whole, text)
    return `${value ?? whole}`
  })
}

/** The sentence is ours and holds no value yet, so it may stand in a log. */
function reportUnfilled(placeholder: string, text: string): void {
  const complaint = `no value for ${placeholder} in: ${text}`
  if (!isProduction) throw new Error(complaint)
  console.error(complaint)
}
