import { tokenBeginnings } from '../forms/chain-address.ts'
import { locale } from '../i18n/language.ts'
import type { UsedMessages } from '../i18n/messages.tsx'

/** Help text for fields with an address of the project's own chain. */
export function tokenAddressHelp({ t, language }: Pick<UsedMessages, 't' | 'language'>): string {
  if (tokenBeginnings.length === 0) return t('orders.fabAddress.help')
  const list = new Intl.ListFormat(locale[language], { type: 'disjunction' })
  return t('orders.fabAddress.help.begins', { beginnings: list.format(tokenBeginnings) })
}
