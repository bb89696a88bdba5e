import type { ReactNode } from 'react'
import type { MemberHome, OpenOrder, OpenWithdrawal } from '#contract/money/member-home.ts'
import { contactTag } from '../../conversations/contact-tag.tsx'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { FormattedMessage, useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import type { Member } from '../../kernel/session/session.ts'
import { ButtonLink } from '../../kernel/ui/button.tsx'
import { pathToNewOrder } from '../../kernel/routes/path-to-new-order.ts'
import { pathToOrder } from '../order-address.ts'
import { describeClosedSale } from '../placing/closed-sale.ts'
import { homeSteps, type HomeStep, type HomeView, type StepState } from './home-steps.ts'
import styles from './member-home.module.css'

type Props = { home: MemberHome; view: HomeView; member: Pick<Member, 'email'> }

/** The member's steps up to the first order, with the next one highlighted, and what is in progress. */
export function MemberHomePart({ home, view, member }: Props) {
  const { t } = useMessages()
  const running = <Running home={home} view={view} />
  if (view.shows === 'none') return running
  if (view.shows === 'settled')
    return (
      <>
        <p className={styles.settled}>{t('memberHome.settled')}</p>
        {running}
      </>
    )
  return (
    <>
      {running}
      <section className={styles.home} aria-labelledby="member-home">
        <h2 id="member-home">{t('memberHome.heading')}</h2>
        <ol className={styles.steps}>
          {homeSteps.map((step) => (
            <Step key={step} step={step} home={home} view={view} email={member.email} />
          ))}
        </ol>
      </section>
    </>
  )
}

type StepProps = { step: HomeStep; home: MemberHome; view: HomeView; email: string }

function Step({ step, home, view, email }: StepProps) {
  const messages = useMessages()
  const { t } = messages
  const state = view.steps[step]
  const isNext = view.next?.kind === 'step' && view.next.step === step
  const { href, label } = actionOf(step, home)
  const title = t(`memberHome.${step}.${state === 'done' ? 'done' : 'open'}`)
  return (
    <li data-state={isNext ? 'next' : state} aria-current={isNext ? 'step' : undefined}>
      <div>
        <p className={styles.title}>
          {/* Screen readers can’t read the mark before the title. */}
          {(isNext || state === 'done') && (
            <span className={styles.said}>
              {t(isNext ? 'memberHome.stateNext' : 'memberHome.stateDone')}{' '}
            </span>
          )}
          {isNext || state === 'later' || state === 'closed' ? title : <a href={href}>{title}</a>}
        </p>
        {state !== 'done' && <p>{textOf(messages, { step, state, home, email })}</p>}
      </div>
      {isNext && <ButtonLink href={href}>{t(label)}</ButtonLink>}
    </li>
  )
}

/** The page on which the step is taken, and the label of the button that leads there. */
function actionOf(step: HomeStep, { email, identity, orderWithoutAddress }: MemberHome) {
  const security = pathTo('account.security')
  const actions: Record<HomeStep, { href: string; label: PlainKey }> = {
    email:
      email === 'refused'
        ? { href: pathTo('account.userInfo'), label: 'memberHome.email.fix' }
        : { href: security, label: 'memberHome.email.go' },
    identity: { href: pathTo('kyc'), label: identityLabel(identity) },
    factor: { href: security, label: 'memberHome.factor.go' },
    order: { href: pathToNewOrder(), label: 'orders.place' },
    address: {
      href: pathToOrder(orderWithoutAddress ?? ''),
      label: 'memberHome.address.go',
    },
  }
  return actions[step]
}

function identityLabel({ status }: MemberHome['identity']): PlainKey {
  if (status === 'more_info') return 'memberHome.identity.answer'
  return status === 'rejected' || status === 'withdrawn'
    ? 'memberHome.identity.again'
    : 'memberHome.identity.go'
}

type Described = { step: HomeStep; state: StepState; home: MemberHome; email: string }

/** What the step requires, or why it can't be taken yet. */
function textOf(messages: UsedMessages, { step, state, home, email }: Described): string {
  const { t } = messages
  if (step === 'email')
    return t(home.email === 'refused' ? 'memberHome.email.refused' : 'memberHome.email.text', { email })
  if (step === 'identity')
    return state === 'later' ? t('memberHome.identity.afterEmail') : describeIdentity(messages, home.identity)
  if (step === 'factor') return t('memberHome.factor.text')
  if (step === 'address')
    return t(state === 'open' ? 'memberHome.address.text' : 'memberHome.address.withOrder')
  if (state === 'closed') return describeClosedSale(messages, home.sale)
  return t(state === 'later' ? 'memberHome.order.afterIdentity' : 'memberHome.order.text')
}

const daysFrom = 48

function describeIdentity({ t }: UsedMessages, { status, usualHours }: MemberHome['identity']): string {
  if (status === 'more_info') return t('memberHome.identity.moreInfo')
  if (status === 'rejected' || status === 'expired' || status === 'withdrawn')
    return t(`memberHome.identity.${status}`)
  if (status !== 'submitted' && status !== 'in_review') return t('memberHome.identity.text')
  if (usualHours === null) return t('memberHome.identity.review')
  // The message has no singular, so it says at least two hours.
  return usualHours <= daysFrom
    ? t('memberHome.identity.reviewHours', { hours: Math.max(usualHours, 2) })
    : t('memberHome.identity.reviewDays', { days: Math.ceil(usualHours / 24) })
}

/** What is in progress, with one sentence for each. */
function Running({ home, view }: Pick<Props, 'home' | 'view'>) {
  const messages = useMessages()
  const { t } = messages
  const { identity, openOrders, openWithdrawals, unread } = home
  const isIdentityRunning = !['none', 'approved', 'expired'].includes(identity.status)
  const sentences: ReactNode[] = [
    ...openOrders.map((order) => <RunningOrder key={order.id} order={order} view={view} />),
    ...openWithdrawals.map((each) => <RunningWithdrawal key={each.orderId} withdrawal={each} view={view} />),
    // The step in the checklist says this.
    view.shows === 'none' && isIdentityRunning && <RunningIdentity key="identity" identity={identity} />,
    unread > 0 && (
      <li key="unread">
        <p>
          <FormattedMessage
            k="memberHome.unread"
            values={{ count: unread }}
            tags={{ link: (words) => <a href={pathTo('account.messages')}>{words}</a> }}
          />
        </p>
      </li>
    ),
  ].filter(Boolean)
  if (sentences.length === 0) return null
  return (
    <ul className={styles.running} aria-label={t('memberHome.running')}>
      {sentences}
    </ul>
  )
}

function RunningIdentity({ identity }: Pick<MemberHome, 'identity'>) {
  const messages = useMessages()
  const { t } = messages
  const { isFinal, applicationId } = identity
  if (isFinal && applicationId !== null)
    return (
      <li>
        <p>
          <FormattedMessage
            k="orders.place.identityFinal"
            tags={contactTag({ about: 'identity', of: applicationId })}
          />
        </p>
      </li>
    )
  return (
    <li>
      <p>{describeIdentity(messages, identity)}</p>
      <a href={pathTo('kyc')}>{t('memberHome.identity.go')}</a>
    </li>
  )
}

const toOrder = (id: string) => ({ link: (words: ReactNode) => <a href={pathToOrder(id)}>{words}</a> })

function RunningOrder({ order, view }: { order: OpenOrder; view: HomeView }) {
  const { t, language } = useMessages()
  const { id, reference, state, payBefore } = order
  const isNext = view.next?.kind === 'pay' && view.next.orderId === id
  return (
    <li data-state={isNext ? 'next' : undefined} aria-current={isNext ? 'step' : undefined}>
      <p>
        {state === 'pay' && payBefore !== null ? (
          <FormattedMessage
            k="memberHome.openOrder.pay"
            values={{ reference, time: formatMoment(payBefore, language) }}
            tags={toOrder(id)}
          />
        ) : (
          <FormattedMessage
            k={state === 'pay' ? 'memberHome.openOrder.payAnytime' : `memberHome.openOrder.${state}`}
            values={{ reference }}
            tags={toOrder(id)}
          />
        )}
      </p>
      {isNext && <ButtonLink href={pathToOrder(id)}>{t('memberHome.openOrder.go')}</ButtonLink>}
    </li>
  )
}

function RunningWithdrawal({ withdrawal, view }: { withdrawal: OpenWithdrawal; view: HomeView }) {
  const { t, language } = useMessages()
  const { orderId, reference, isAccepted, refundBefore, isAddressMissing } = withdrawal
  const isNext = view.next?.kind === 'refund' && view.next.orderId === orderId
  return (
    <li data-state={isNext ? 'next' : undefined} aria-current={isNext ? 'step' : undefined}>
      <p>
        {isAccepted && !isAddressMissing ? (
          <FormattedMessage
            k="memberHome.withdrawal.accepted"
            values={{ reference, time: formatMoment(refundBefore, language) }}
            tags={toOrder(orderId)}
          />
        ) : (
          <FormattedMessage
            k={isAddressMissing ? 'memberHome.withdrawal.address' : 'memberHome.withdrawal.requested'}
            values={{ reference }}
            tags={toOrder(orderId)}
          />
        )}
      </p>
      {isNext && <ButtonLink href={pathToOrder(orderId)}>{t('memberHome.withdrawal.go')}</ButtonLink>}
    </li>
  )
}
