/* Words that banks and exchanges use for incoming and outgoing payments. */

const debits =
  /^(?:d|dr|dbit|debit|s|soll|belastung|lastschrift|out|outgoing|withdrawal|withdraw|send|sent|af|débit|sortie|cargo|débito|debito|addebito|uscita|支出|借|提现|付款|转出|出账)$/i
const credits =
  /^(?:c|cr|crdt|credit|h|haben|gutschrift|in|incoming|deposit|receive|received|bij|crédit|entrée|abono|crédito|credito|accredito|entrata|收入|贷|充值|收款|转入|入账)$/i

export const isDebitWord = (text: string): boolean => debits.test(text)
export const isCreditWord = (text: string): boolean => credits.test(text)
