import { languages, siteLanguages } from '#contract/languages.ts'
import { exportSubscribers, listSubscribers, type ConsoleSubscriber } from '#contract/newsletter.ts'
import { categoryWords } from '../../news-choice/category-words.ts'
import { useWords } from '../../i18n/words.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { RemoveSubscribers } from './remove-subscribers.tsx'
import { endWords, rhythmWords, stateWords, wayWords } from './subscriber-words.ts'

function State({ of: { state, endedBy } }: { of: ConsoleSubscriber }) {
  const { t } = useWords()
  const { colour, words } = stateWords[state]
  return <Tag colour={colour}>{t(endedBy ? endWords[endedBy] : words)}</Tag>
}

function Categories({ names }: { names: readonly string[] }) {
  const { t } = useWords()
  const shown = names.map((name) => {
    const words = categoryWords(name)
    return words ? t(words) : name
  })
  return shown.join(t('forms.missing.separator'))
}

function Rhythm({ of: { rhythm } }: { of: ConsoleSubscriber }) {
  const { t } = useWords()
  return t(rhythmWords[rhythm])
}

function Time({ at }: { at: string }) {
  const { formatDateTime } = useWords()
  return <time dateTime={at}>{formatDateTime(at)}</time>
}

/** When, to which wording and by which way somebody agreed. */
function Consent({ of: { consentedAt, wording, way } }: { of: ConsoleSubscriber }) {
  const { t, formatDateTime } = useWords()
  if (!consentedAt) return null
  const words = way && wayWords[way]
  return t('consoleNewsletter.consent', {
    date: formatDateTime(consentedAt),
    wording: wording ?? '–',
    way: words ? t(words) : (way ?? '–'),
  })
}

export const subscriberList = (mayAct: boolean): ListSpec<typeof listSubscribers, ConsoleSubscriber> => ({
  name: 'subscribers',
  route: 'console.subscribers',
  endpoint: listSubscribers,
  rowsOf: (rows) => rows,
  caption: 'consoleNewsletter.heading',
  rowKey: ({ id }) => id,
  nameOf: ({ email }) => email,
  defaultSort: '-asked',
  none: { title: 'consoleNewsletter.none' },
  file: exportSubscribers,
  columns: [
    { name: 'email', heading: 'consoleNewsletter.email', isAddress: true, cell: ({ email }) => email },
    { name: 'state', heading: 'consoleNewsletter.state', cell: (row) => <State of={row} /> },
    {
      name: 'language',
      heading: 'consoleNewsletter.language',
      cell: ({ language }) => siteLanguages[language].name,
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
      cell: ({ askedAt }) => <Time at={askedAt} />,
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
  filters: [
    { name: 'email', label: 'consoleNewsletter.emailStart', kind: 'search' },
    {
      name: 'state',
      label: 'consoleNewsletter.state',
      kind: 'choice',
      options: (['active', 'pending', 'ended'] as const).map((value) => ({
        value,
        label: stateWords[value].words,
      })),
    },
    {
      name: 'language',
      label: 'consoleNewsletter.language',
      kind: 'choice',
      options: languages.map((value) => ({ value, text: siteLanguages[value].name })),
    },
    { name: 'from', label: 'consoleNewsletter.from', kind: 'day' },
    { name: 'to', label: 'consoleNewsletter.to', kind: 'day' },
  ],
  ...(mayAct && {
    bulk: [
      {
        name: 'remove',
        label: 'consoleNewsletter.remove',
        isDangerous: true,
        dialog: (rows, onClose) => <RemoveSubscribers rows={rows} onClose={onClose} />,
      },
    ],
  }),
})
