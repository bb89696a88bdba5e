import { useMessages } from '../../kernel/i18n/messages.tsx'

const kinds: Readonly<Record<string, string>> = { ethereum: 'Ethereum', bitcoin: 'Bitcoin' }

/** The network of a run, such as `ethereum 1`, as people write it. */
export function Network({ name }: { name: string }) {
  const { t, addNote } = useMessages()
  if (name === 'own') return t('consolePayouts.network.own')
  const [kind = '', id = ''] = name.split(' ')
  return addNote(kinds[kind] ?? kind, id)
}
