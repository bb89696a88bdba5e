import { useMessages } from '../kernel/i18n/messages.tsx'
import { formatDecimal } from '../kernel/i18n/format-decimal.ts'

/** Tokens or a count, without losing a digit. */
export function Amount({ value }: { value: string | number }) {
  const { language } = useMessages()
  return formatDecimal(String(value), language)
}
