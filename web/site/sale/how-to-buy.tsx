import type { PublicSale } from '#contract/money/public-sale.ts'
import { FormattedMessage, useMessages } from '../../kernel/i18n/messages.tsx'
import { pathToNewOrder } from '../../kernel/routes/path-to-new-order.ts'
import { labelOf, pathTo, type RouteName } from '../../kernel/routes/routes.ts'
import section from '../../kernel/ui/page-section.module.css'
import styles from './sale.module.css'

export const buyingSteps = [1, 2, 3, 4] as const

/** `isOpen`: whether orders are accepted. */
export function StepsSection({ isOpen }: { isOpen: boolean }) {
  const { t } = useMessages()
  const links = {
    1: pathTo('login.signup'),
    2: pathTo('kyc'),
    3: isOpen ? pathToNewOrder() : undefined,
    4: pathTo('account.accountDetails'),
  }
  return (
    <section id="steps" className={`${section.section} ${styles.part}`} aria-labelledby="steps-heading">
      <h2 id="steps-heading">{t('sale.steps.heading')}</h2>
      <ol className={`${styles.body} ${styles.steps}`}>
        {buyingSteps.map((step) => (
          <li key={step} id={`step-${step}`}>
            <h3>{t(`sale.step${step}.title`)}</h3>
            <p>{t(`sale.step${step}.text`)}</p>
            {links[step] && (
              <p>
                <a href={links[step]}>{t(`sale.step${step}.link`)}</a>
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Conditions and risks. `withdrawalDays` is 0 if members can't withdraw from orders. */
export function TermsSection({
  sale: { ageMin },
  withdrawalDays,
}: {
  sale: PublicSale
  withdrawalDays: number
}) {
  const { t } = useMessages()
  return (
    <section className={`${section.section} ${styles.part}`} aria-labelledby="who-heading">
      <h2 id="who-heading">{t('sale.who.heading')}</h2>
      <ul className={`${styles.body} ${styles.list}`}>
        {ageMin > 0 && <li>{t('sale.who.age', { age: ageMin })}</li>}
        <li>{t('sale.who.identity')}</li>
        <li>
          <FormattedMessage
            k="sale.who.law"
            tags={{ link: (words) => <a href={pathTo('legal.terms')}>{words}</a> }}
          />
        </li>
      </ul>
      <h2>{t('sale.risks.heading')}</h2>
      <div className={styles.body}>
        <ul className={styles.list}>
          <li>{t('sale.risks.value')}</li>
          <li>{t('sale.risks.liquid')}</li>
          <li>{t('sale.risks.final')}</li>
          <li>{t('sale.risks.fraud')}</li>
        </ul>
        {withdrawalDays > 0 && (
          <p>
            <FormattedMessage
              k="sale.withdrawal"
              values={{ days: withdrawalDays }}
              tags={{ link: (words) => <a href={`${pathTo('whitePaper')}#withdrawal`}>{words}</a> }}
            />
          </p>
        )}
      </div>
    </section>
  )
}

/** `hasPaper`: whether there is a white paper. If so, the law prescribes a statement for marketing pages such as this. */
export function ReadingSection({ hasPaper }: { hasPaper: boolean }) {
  const { t } = useMessages()
  const pages: RouteName[] = [
    ...(hasPaper ? (['whitePaper'] as const) : []),
    'legal.terms',
    'official',
    'help',
  ]
  return (
    <section className={`${section.section} ${styles.part}`} aria-labelledby="more-heading">
      <h2 id="more-heading">{t('sale.more.heading')}</h2>
      <div className={styles.body}>
        <ul className={styles.links}>
          {pages.map((name) => (
            <li key={name}>
              <a href={pathTo(name)}>{t(labelOf(name))}</a>
            </li>
          ))}
        </ul>
        {hasPaper && <p className={styles.note}>{t('whitePaper.marketing.statement')}</p>}
      </div>
    </section>
  )
}
