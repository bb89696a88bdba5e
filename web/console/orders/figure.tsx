import { useMessages } from '../../kernel/i18n/messages.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'

export function Figure({ value, unit = '' }: { value: string | null; unit?: string }) {
  const { t, language } = useMessages()
  return value === null ? t('consoleOrders.unknown') : `${formatDecimal(value, language)} ${unit}`.trim()
}
