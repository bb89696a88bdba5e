import brand from '#content/brand.json' with { type: 'json' }

/** Values for placeholders; which ones a sentence needs follows from its English words (`placeholders.ts`). */
export type Values<Placeholder extends string> = Readonly<Record<Placeholder, string | number>>

/** The last argument of a function that fills a sentence: none where the sentence has no placeholder. */
export type ValuesFor<Placeholder extends string> = [Placeholder] extends [never]
  ? []
  : [values: Values<Placeholder>]

/** As at the start of the product: every environment that is not explicitly for development or tests is production. */
const isProduction = !['development', 'test'].includes(process.env['NODE_ENV'] ?? '')

const alwaysKnown: Record<string, string> = {
  brand: brand.name,
  ticker: brand.ticker,
  contact: brand.email,
}

/** The team may change the address for questions while the program runs; sentences are filled far from where that is known. */
export function setContact(email: string): void {
  alwaysKnown['contact'] = email
}

export const isAlwaysKnown = (name: string): boolean => Object.hasOwn(alwaysKnown, name)

/**
 * Replaces `{name}` by its value; placeholders inside values are not replaced. A missing value is a bug: in production the
 * sentence is shown as it is and the error logged, elsewhere it throws.
 */
export function fill(text: string, values: Values<string> = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? alwaysKnown[name]
    if (value === undefined) reportUnfilled(whole, text)
    return `${value ?? whole}`
  })
}

/** The template contains no values yet, so it may be logged. */
function reportUnfilled(placeholder: string, text: string): void {
  const complaint = `no value for ${placeholder} in: ${text}`
  if (!isProduction) throw new Error(complaint)
  console.error(complaint)
}
