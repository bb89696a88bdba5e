/** Domains of disposable mailboxes, including their subdomains. */
const domains = new Set(
  `0-mail.com 10mail.org 10minutemail.com 10minutemail.net 20minutemail.com 33mail.com anonaddy.me anonbox.net
  burnermail.io byom.de cock.li crazymailing.com cuvox.de deadaddress.com discard.email discardmail.com discardmail.de
  dispostable.com dropmail.me easytrashmail.com einrot.com emailfake.com emailondeck.com emailtemporanea.net
  fakeinbox.com fakemail.net fakemailgenerator.com filzmail.com fleckens.hu generator.email getairmail.com
  getnada.com grr.la guerrillamail.biz guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net
  guerrillamail.org guerrillamailblock.com gustr.com harakirimail.com inboxalias.com inboxbear.com inboxkitten.com
  incognitomail.org jetable.org jourrapide.com kasmail.com linshiyouxiang.net linshiyou.com mail-temp.com
  mail-temporaire.fr mail.tm mailcatch.com maildrop.cc mailexpire.com mailforspam.com mailinator.com mailinator.net
  mailinator2.com mailmoat.com mailnesia.com mailnull.com mailpoof.com mailsac.com mailshell.com mailtemp.info
  mailtothis.com meltmail.com minutemail.com mintemail.com moakt.com mohmal.com mytemp.email mytrashmail.com nada.email
  no-spam.ws nowmymail.com one-time.email owlymail.com pokemail.net rhyta.com sharklasers.com shieldemail.com
  smailpro.com snapmail.cc sneakemail.com sofort-mail.de spam4.me spambog.com spambox.us spamex.com spamfree24.org
  spamgourmet.com spamhole.com superrito.com teleworm.us temp-mail.io temp-mail.org temp-mail.ru tempail.com
  tempinbox.com tempm.com tempmail.com tempmail.dev tempmail.net tempmail.plus tempmailaddress.com tempmailo.com
  tempr.email temporary-mail.net thankyou2010.com throwam.com throwawaymail.com tmail.ws tmailor.com tmpmail.net
  tmpmail.org trash-mail.com trash-mail.de trashmail.com trashmail.de trashmail.io trashmail.me trashmail.net
  trbvm.com wegwerfemail.de wegwerfmail.de wegwerfmail.net wegwerfmail.org yopmail.com yopmail.fr yopmail.net
  zetmail.com`.split(/\s+/),
)

export function isDisposable(email: string): boolean {
  const parts = email.slice(email.lastIndexOf('@') + 1).split('.')
  return parts.some((_, index) => domains.has(parts.slice(index).join('.')))
}
