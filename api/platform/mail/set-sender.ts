import type { Services } from '../services.ts'
import { contactLink, officialLink } from '../site-links.ts'
import { setContact } from '../text/fill.ts'
import { setOfficialPage, setPostalAddress } from './render-mail.ts'

/** Sets what every email says about its sender. Needed before the first email is written. */
export function setSender({ config, content }: Pick<Services, 'config' | 'content'>): void {
  setContact(contactLink(config))
  setPostalAddress(content.brand().address)
  setOfficialPage((language) => officialLink(config, language))
}
