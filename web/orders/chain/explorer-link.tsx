import { useMessages } from '../../kernel/i18n/messages.tsx'

/** Free text, such as a bank reference, isn't linked. */
const onChain = /^(?:0x)?[\dA-Za-z]{25,100}$/

/** A transaction ID or an address, linked to the coin's block explorer if one is set. */
export function OnExplorer({
  explorer,
  kind,
  isShort = false,
  children,
}: {
  explorer: string | null
  kind: 'tx' | 'address'
  /** Whether the middle is left out if there is a link. */
  isShort?: boolean
  children: string
}) {
  const { t } = useMessages()
  return explorer !== null && onChain.test(children) ? (
    <a href={`${explorer}/${kind}/${children}`} title={t('layout.external')} rel="noopener noreferrer">
      {isShort ? `${children.slice(0, 10)}…${children.slice(-8)}` : children}
    </a>
  ) : (
    children
  )
}
