import { ExternalLink } from '../../kernel/layout/external-link.tsx'

/** Free text, such as a bank reference, isn't linked. */
const onChain = /^(?:0x)?[\dA-Za-z]{25,100}$/

/** A transaction ID or an address, linked to the coin's block explorer if one is set. */
export function OnExplorer({
  explorer,
  kind,
  children,
}: {
  explorer: string | null
  kind: 'tx' | 'address'
  children: string
}) {
  return explorer !== null && onChain.test(children) ? (
    <ExternalLink href={`${explorer}/${kind}/${children}`}>{children}</ExternalLink>
  ) : (
    children
  )
}
