import brand from '#content/brand.json' with { type: 'json' }

/** Values for placeholders. The English text determines which ones a message needs (`placeholders.ts`). */
export type Values<Placeholder extends string> = Readonly<Record<Placeholder, string | number>>

/** The last argument of a function that interpolates a message: none if the message has no placeholder. */
export type ValuesFor<Placeholder extends string> = [Placeholder] extends [never]
  ? []
  : [values: Values<Placeholder>]

/** As in the server: every environment that is not explicitly for development or tests is production. */
const isProduction = !['development', 'test'].includes(process.env['NODE_ENV'] ?? '')

const alwaysKnown: Record<string, string> = {
  brand: brand.name,
  ticker: brand.ticker,
  contact: brand.email,
}

/** Sets where readers can contact the team. Messages are interpolated far from where it is known. */
export function setContact(contact: string): void {
  alwaysKnown['contact'] = contact
}

export const isAlwaysKnown = (name: string): boolean => Object.hasOwn(alwaysKnown, name)

/**
 * Replaces `{name}` with its value; placeholders inside values are not replaced. A missing value is a bug: in
 * production the message is returned unchanged and the error logged; elsewhere it throws.
 */
export function fill(text: string, values: Values<string> = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? alwaysKnown[name]
    if (value === undefined) reportUnfilled(whole, text)
    return `${value ?? whole}`
  })
}

/** The template contains no values yet, so it is safe to log. */
function reportUnfilled(placeholder: string, text: string): void {
  const complaint = `no value for ${placeholder} in: ${text}`
  if (!isProduction) throw new Error(complaint)
  console.error(complaint)
}
