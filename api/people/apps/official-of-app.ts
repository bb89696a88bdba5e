import type { App } from '#contract/people/apps.ts'
import { emailPattern } from '#contract/platform/patterns.ts'

/** Returns what the app profile adds to the official list: its email address and the links of its documents. */
export const officialOfApp = ({ contact, docs }: Pick<App, 'contact' | 'docs'>) => [
  ...docs
    .filter(({ url }) => URL.canParse(url))
    .map(({ name, url }) => ({ kind: 'link' as const, role: 'document' as const, name, value: url })),
  ...(emailPattern.test(contact.toLowerCase())
    ? [{ kind: 'email' as const, role: 'contact' as const, name: '', value: contact }]
    : []),
]
