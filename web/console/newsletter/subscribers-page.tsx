import { languages, type Language } from '#contract/platform/languages.ts'
import {
  type ConsoleSubscriber,
  removeReason,
  removeSubscribers,
  subscribers,
} from '#contract/publishing/newsletter.ts'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { categoryLabel } from '../../kernel/news-choice/category-labels.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'
import { listPage } from '../list/list-page.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'

const colours: Readonly<Record<ConsoleSubscriber['state'], TagColor>> = {
  pending: 'yellow',
  active: 'green',
  ended: 'quiet',
}

const consentLabels: Readonly<Record<string, PlainKey>> = {
  form: 'consoleNewsletter.way.form',
  account: 'consoleNewsletter.way.account',
}

function State({ of: { state, endedBy } }: { of: ConsoleSubscriber }) {
  const { t } = useMessages()
  const words = endedBy
    ? (`consoleNewsletter.ended.${endedBy}` as const)
    : (`consoleNewsletter.state.${state}` as const)
  return <Tag colour={colours[state]}>{t(words)}</Tag>
}

function Categories({ names }: { names: readonly string[] }) {
  const { t } = useMessages()
  const shown = names.map((name) => {
    const words = categoryLabel(name)
    return words ? t(words) : name
  })
  return shown.join(t('forms.missing.separator'))
}

function LanguageName({ of }: { of: Language }) {
  const { t } = useMessages()
  return languageLabel(t, of)
}

function Rhythm({ of: { rhythm } }: { of: ConsoleSubscriber }) {
  const { t } = useMessages()
  return t(`consoleNewsletter.rhythm.${rhythm}`)
}

/** When and how the subscriber consented, and to which wording. */
function Consent({ of: { consentedAt, wording, way } }: { of: ConsoleSubscriber }) {
  const { t, formatDateTime } = useMessages()
  if (!consentedAt) return null
  const words = way && consentLabels[way]
  return t('consoleNewsletter.consent', {
    date: formatDateTime(consentedAt),
    wording: wording ?? '–',
    way: words ? t(words) : (way ?? '–'),
  })
}

const list: ListSpec<typeof subscribers> = {
  resource: subscribers,
  route: 'console.subscribers',
  nameOf: ({ email }) => email,
  tagOf: (row) => <State of={row} />,
  none: { title: 'consoleNewsletter.none' },
  bulk: [
    {
      name: 'remove',
      label: 'consoleNewsletter.bulk.remove',
      endpoint: removeSubscribers,
      isDangerous: true,
      fields: [
        {
          kind: 'reason',
          name: 'reason',
          label: 'consoleNewsletter.reason',
          help: 'consoleNewsletter.remove.help',
          schema: removeReason,
          isRequired: true,
        },
      ],
    },
  ],
  columns: [
    {
      name: 'email',
      heading: 'consoleNewsletter.email',
      isAddress: true,
      cell: ({ email }) => <Address email={email} />,
    },
    { name: 'state', heading: 'consoleNewsletter.state', cell: (row) => <State of={row} /> },
    {
      name: 'language',
      heading: 'consoleNewsletter.language',
      cell: ({ language }) => <LanguageName of={language} />,
    },
    {
      name: 'categories',
      heading: 'consoleNewsletter.categories',
      cell: ({ categories }) => <Categories names={categories} />,
    },
    { name: 'rhythm', heading: 'consoleNewsletter.rhythm', cell: (row) => <Rhythm of={row} /> },
    {
      name: 'asked',
      heading: 'consoleNewsletter.asked',
      sort: 'asked',
      cell: ({ askedAt }) => <ListTime at={askedAt} />,
    },
    {
      name: 'consent',
      heading: 'consoleNewsletter.consented',
      isExtra: true,
      cell: (row) => <Consent of={row} />,
    },
    {
      name: 'reason',
      heading: 'consoleNewsletter.reason',
      isExtra: true,
      cell: ({ reason }) => reason,
    },
  ],
  filters: {
    email: { label: 'consoleNewsletter.emailStart', kind: 'search' },
    state: {
      label: 'consoleNewsletter.state',
      kind: 'choice',
      options: (['active', 'pending', 'ended'] as const).map((value) => ({
        value,
        label: `consoleNewsletter.state.${value}`,
      })),
    },
    language: {
      label: 'consoleNewsletter.language',
      kind: 'choice',
      options: languages.map((value) => ({ value, label: (t) => languageLabel(t, value) })),
    },
    from: { label: 'consoleNewsletter.from', kind: 'day' },
    to: { label: 'consoleNewsletter.to', kind: 'day' },
  },
}

/** Recipients of the newsletter. */
export default listPage({
  list,
  lead: 'consoleNewsletter.lead',
})
