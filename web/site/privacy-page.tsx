import { page } from '../kernel/routes/page.ts'
import { LegalText, type LegalSection } from './legal/legal-text.tsx'

const sections: readonly LegalSection[] = [
  { id: 'who', heading: 'legal.privacy.who.heading', texts: ['legal.privacy.who.paragraph1'] },
  {
    id: 'visit',
    heading: 'legal.privacy.visit.heading',
    texts: [
      'legal.privacy.visit.paragraph1',
      'legal.privacy.visit.paragraph2',
      'legal.privacy.visit.paragraph3',
      'legal.privacy.visit.paragraph4',
      'legal.privacy.visit.paragraph5',
    ],
  },
  {
    id: 'account',
    heading: 'legal.privacy.account.heading',
    texts: ['legal.privacy.account.paragraph1', 'legal.privacy.account.paragraph2'],
  },
  {
    id: 'kyc',
    heading: 'legal.privacy.kyc.heading',
    texts: [
      'legal.privacy.kyc.paragraph1',
      'legal.privacy.kyc.paragraph2',
      'legal.privacy.kyc.paragraph3',
      'legal.privacy.kyc.paragraph4',
    ],
  },
  {
    id: 'ambassador',
    heading: 'legal.privacy.ambassador.heading',
    texts: ['legal.privacy.ambassador.paragraph1', 'legal.privacy.ambassador.paragraph2'],
  },
  {
    id: 'messages',
    heading: 'legal.privacy.messages.heading',
    texts: ['legal.privacy.messages.paragraph1', 'legal.privacy.messages.paragraph2'],
  },
  {
    id: 'reminder',
    heading: 'legal.privacy.reminder.heading',
    texts: ['legal.privacy.reminder.paragraph1'],
  },
  { id: 'sharing', heading: 'legal.privacy.sharing.heading', texts: ['legal.privacy.sharing.paragraph1'] },
  {
    id: 'rights',
    heading: 'legal.privacy.rights.heading',
    texts: ['legal.privacy.rights.paragraph1', 'legal.privacy.rights.paragraph2'],
  },
]

const PrivacyView = () => (
  <LegalText
    title="legal.privacy.title"
    lead="legal.privacy.lead"
    updated="legal.privacy.updated"
    document="privacy"
    sections={sections}
  />
)

export default page({ View: PrivacyView })
