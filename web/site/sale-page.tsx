import { readPublicSale, type PublicSale } from '#contract/money/public-sale.ts'
import type { BonusTier } from '#contract/money/round-bonus.ts'
import { readWhitePaper } from '#contract/publishing/white-paper.ts'
import { WovenBand } from '../kernel/brand/woven-band.tsx'
import { formatUtcMoment } from '../kernel/i18n/format-moment.ts'
import { useMessages, type UsedMessages } from '../kernel/i18n/messages.tsx'
import { page, type LoadContext } from '../kernel/routes/page.ts'
import { pathToNewOrder } from '../kernel/routes/path-to-new-order.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { ButtonLink } from '../kernel/ui/button.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import pageSection from '../kernel/ui/page-section.module.css'
import { Calculator } from './sale/calculator.tsx'
import { ReadingSection, StepsSection, TermsSection } from './sale/how-to-buy.tsx'
import { PriceSection } from './sale/price-section.tsx'
import { ReminderForm } from './sale/reminder-form.tsx'
import { RoundSection } from './sale/round-section.tsx'
import styles from './sale/sale.module.css'

export type SaleData = {
  /** Null if editors have hidden the sale. */
  sale: PublicSale | null
  hasPaper: boolean
  /** 0 if members can't withdraw from orders. */
  withdrawalDays: number
}

async function load({ call }: LoadContext): Promise<SaleData> {
  const [{ sale }, { whitePaper }] = await Promise.all([call(readPublicSale, {}), call(readWhitePaper, {})])
  return { sale, hasPaper: whitePaper !== null, withdrawalDays: whitePaper?.withdrawalDays ?? 0 }
}

/** The public page about the token sale: the price, how to buy, and what to know first. It is the same for everyone. */
function SaleView({ data: { sale, hasPaper, withdrawalDays } }: { data: SaleData }) {
  const { t, language } = useMessages()
  return (
    <>
      <PageHero
        heading={t('sale.heading')}
        lead={leadOf({ t, language }, sale)}
        size="low"
        drawing={<WovenBand className={styles.band} />}
      >
        {sale && sale.state !== 'ended' && sale.state !== 'none' && (
          <Actions isOpen={sale.state === 'open'} />
        )}
      </PageHero>
      {sale && (
        <>
          {sale.state !== 'open' && <ReminderSection />}
          <RoundSection sale={sale} />
          <Prices sale={sale} />
          <StepsSection isOpen={sale.state === 'open'} />
          <TermsSection sale={sale} withdrawalDays={withdrawalDays} />
        </>
      )}
      <ReadingSection hasPaper={hasPaper} />
    </>
  )
}

/** Most visitors have no account yet. They can create one before the sale opens. */
function Actions({ isOpen }: { isOpen: boolean }) {
  const { t } = useMessages()
  return (
    <div className={styles.actions}>
      <ButtonLink href={pathTo('login.signup')}>{t('sale.account')}</ButtonLink>
      {isOpen && (
        <ButtonLink kind="quiet" href={pathToNewOrder()}>
          {t('sale.order')}
        </ButtonLink>
      )}
    </div>
  )
}

/** The prices. Nothing unless orders are accepted. */
function Prices({ sale }: { sale: PublicSale }) {
  const [first, ...others] = sale.payMethods
  if (!first) return null
  return (
    <>
      <PriceSection sale={sale} />
      {sale.state === 'open' && (
        <CalculatorSection methods={[first, ...others]} bonus={sale.round?.bonus ?? []} />
      )}
    </>
  )
}

function leadOf({ t, language }: Pick<UsedMessages, 't' | 'language'>, sale: PublicSale | null): string {
  if (sale?.state === 'upcoming' && sale.opensAt !== null)
    return t('sale.lead.upcoming', { time: formatUtcMoment(sale.opensAt, language) })
  if (sale?.state === 'ended' && sale.closesAt !== null)
    return t('sale.lead.ended', { time: formatUtcMoment(sale.closesAt, language) })
  if (sale?.state === 'open' || sale?.state === 'soldOut') return t(`sale.lead.${sale.state}`)
  return t('sale.lead.none')
}

type Methods = Parameters<typeof Calculator>[0]['methods']

function CalculatorSection({ methods, bonus }: { methods: Methods; bonus: readonly BonusTier[] }) {
  const { t } = useMessages()
  return (
    <section
      id="calculator"
      className={`${pageSection.section} ${styles.part}`}
      aria-labelledby="calculator-heading"
    >
      <h2 id="calculator-heading">{t('sale.calculator.heading')}</h2>
      <div className={styles.body}>
        <p className={styles.note}>{t('sale.calculator.intro')}</p>
        <Calculator methods={methods} bonus={bonus} />
      </div>
    </section>
  )
}

function ReminderSection() {
  const { t } = useMessages()
  return (
    <section
      id="reminder"
      className={`${pageSection.section} ${styles.part}`}
      aria-labelledby="reminder-heading"
    >
      <h2 id="reminder-heading">{t('sale.reminder.heading')}</h2>
      <div className={styles.body}>
        <p>{t('sale.reminder.text')}</p>
        <ReminderForm />
      </div>
    </section>
  )
}

export default page<SaleData>({ load, View: SaleView })
