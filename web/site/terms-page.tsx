import { page } from '../kernel/routes/page.ts'
import { LegalText, type LegalSection } from './legal/legal-text.tsx'

const sections: readonly LegalSection[] = [
  {
    id: 'account',
    heading: 'legal.terms.account.heading',
    texts: ['legal.terms.account.paragraph1', 'legal.terms.account.paragraph2'],
  },
  { id: 'wallet', heading: 'legal.terms.wallet.heading', texts: ['legal.terms.wallet.paragraph1'] },
  {
    id: 'orders',
    heading: 'legal.terms.orders.heading',
    texts: ['legal.terms.orders.paragraph1', 'legal.terms.orders.paragraph2'],
  },
  { id: 'advice', heading: 'legal.terms.advice.heading', texts: ['legal.terms.advice.paragraph1'] },
  {
    id: 'content',
    heading: 'legal.terms.content.heading',
    texts: ['legal.terms.content.paragraph1', 'legal.terms.content.paragraph2'],
  },
  { id: 'liability', heading: 'legal.terms.liability.heading', texts: ['legal.terms.liability.paragraph1'] },
  {
    id: 'changes',
    heading: 'legal.terms.changes.heading',
    texts: ['legal.terms.changes.paragraph1', 'legal.terms.changes.paragraph2'],
  },
]

const TermsView = () => (
  <LegalText
    title="legal.terms.title"
    lead="legal.terms.lead"
    updated="legal.terms.updated"
    document="terms"
    sections={sections}
  />
)

export default page({ View: TermsView })
